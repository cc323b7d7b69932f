import { useQuery } from '@tanstack/preact-query'
import { takesPasskeys } from '../../../src/model/passkeys.ts'
import { hasPasskeys } from '../../sign-in/has-passkeys.ts'
import { useBoot, useIsHydrated } from '../account.ts'
import { api, read } from '../api.ts'
import { useAction } from '../use-action.ts'

export const PASSKEYS = ['passkeys']

export function usePasskeys({ isRead = true } = {}) {
  return useQuery({ ...read(PASSKEYS, () => api.listPasskeys()), enabled: isRead })
}

/** Where passkeys can be made and used: `address` and `browser` name what cannot. */
export function usePasskeySupport(): 'yes' | 'address' | 'browser' {
  const { base_url: baseUrl } = useBoot()
  const isHydrated = useIsHydrated()
  if (!takesPasskeys(baseUrl)) return 'address'
  return isHydrated && !hasPasskeys() ? 'browser' : 'yes'
}

/** Whether the account cannot be signed in to by mail, nor by a provider. */
export function useIsWithoutMail(): boolean {
  const { sends_mails: sendsMails, provider } = useBoot()
  return !sendsMails && provider === null
}

export function useAddPasskey() {
  const add = async () => (await import('./ceremony.ts')).addPasskey()
  return useAction(add, { said: 'Passkey added', refresh: [PASSKEYS] })
}
