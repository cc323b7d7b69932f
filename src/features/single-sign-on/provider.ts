import { loadOnce } from '../../platform/load-once.ts'
import type { Provider, ProviderDeps } from './openid-provider.ts'

/** The provider that the settings name. Its protocol is loaded when the first person signs in. */
export function createProvider(deps: ProviderDeps): Provider {
  const load = loadOnce(async () => {
    const { createOpenidProvider } = await import('./openid-provider.ts')
    return createOpenidProvider(deps)
  })
  return {
    start: async (options) => (await load()).start(options),
    finish: async (query, flow) => (await load()).finish(query, flow),
  }
}
