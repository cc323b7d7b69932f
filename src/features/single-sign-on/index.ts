export {
  createIdentities,
  type Identities,
  type NotAdmitted,
  type Proof,
} from './identities.ts'
export { singleSignOnOperations } from './operations.ts'
export {
  createProvider,
  type FailureReason,
  type Flow,
  type Provider,
  ProviderFailure,
} from './provider.ts'
