export {
  createIdentities,
  type Identities,
  type NotAdmitted,
  type Proof,
} from './identities.ts'
export type { Flow, Provider } from './openid-provider.ts'
export { createProvider } from './provider.ts'
export { type FailureReason, ProviderFailure } from './provider-failure.ts'
