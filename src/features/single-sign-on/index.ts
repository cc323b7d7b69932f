import { loadOnce } from '../../platform/promises.ts'
import type { ProviderDeps } from './openid-provider.ts'

export {
  createIdentities,
  type FailureReason,
  type Identities,
  type NotAdmitted,
  type Proof,
  ProviderFailure,
} from './identities.ts'
export type { Flow } from './openid-provider.ts'

/** The provider that the settings name. Its protocol is loaded when the first person signs in. */
export function createProvider(deps: ProviderDeps) {
  return loadOnce(async () => {
    const { createOpenidProvider } = await import('./openid-provider.ts')
    return createOpenidProvider(deps)
  })
}
