import { useQuery } from '@tanstack/preact-query'
import { createContext, useContext, useSyncExternalStore } from 'preact/compat'
import { type Account, api, queryClient, read } from './api.ts'
import type { Boot } from './boot.ts'

export const BootContext = createContext<Boot | null>(null)

export function useBoot(): Boot {
  return useContext(BootContext)!
}

export function useAccount(): Account {
  const { account } = useBoot()
  const { data } = useQuery({
    ...read(['account'], () => api.getAccount()),
    initialData: account,
    staleTime: 60_000,
  })
  return data
}

/** The account as it was read last, for what runs outside of a component. */
export function currentAccount(): Account {
  return queryClient.getQueryData<Account>(['account'])!
}

/**
 * False on the server and for the first render in the browser, which have to be equal; true from
 * then on. Shown only then is what the server cannot know: the reader's language, time zone, keys.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

/** The time in milliseconds; that of the document for as long as it is shown as it came. */
export function useNow(): number {
  const { at } = useBoot()
  return useIsHydrated() ? Date.now() : Date.parse(at)
}
