import { MutationCache, QueryCache, QueryClient } from '@tanstack/preact-query'
import { ApiError, createSessionClient } from '../../src/client/index.ts'
import { withSignInAgain } from './sign-in-again.ts'
import { createStore } from './store.ts'

/** Where requests go. Nothing is requested on the server, which has no location. */
const ORIGIN = globalThis.location?.origin ?? 'http://localhost'

/** The operations of the API, for the account that is signed in. */
export const api = withSignInAgain(createSessionClient({ baseUrl: ORIGIN, source: 'editor' }))

export async function hasRecentSignIn(): Promise<boolean> {
  const { data } = await api.listSessions()
  return data.some((session) => session.is_current && session.has_recent_sign_in)
}

/** Whether the session has ended: what was typed stays, and a dialog asks to sign in again. */
export const signedOut = createStore(false)

/** For failures of requests that are neither a query nor a mutation. */
export function noteError(err: unknown): void {
  if (err instanceof ApiError && err.code === 'signed_out') signedOut.set(true)
}

/** The client itself repeats calls. A browser that is offline may still reach its own computer. */
const AT_ONCE = { retry: false, networkMode: 'always' } as const

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteError }),
    mutationCache: new MutationCache({ onError: noteError }),
    defaultOptions: {
      queries: { ...AT_ONCE, staleTime: 5_000, refetchOnReconnect: true },
      mutations: AT_ONCE,
    },
  })
}

export const queryClient = createQueryClient()

export function messageOf(err: unknown): string {
  // Each browser has words of its own for a module that did not come.
  const isModule = err instanceof TypeError && /import/i.test(err.message)
  if (isModule || (err instanceof ApiError && err.code === 'unreachable')) {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  return err instanceof Error ? err.message : 'That did not work. Try again.'
}
