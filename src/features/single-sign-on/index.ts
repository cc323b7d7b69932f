export {
  createIdentities,
  type Identities,
  type NotAdmitted,
  type Proof,
} from './identities.ts'
export {
  createProvider,
  type FailureReason,
  type Flow,
  type Provider,
  ProviderFailure,
} from './provider.ts'
