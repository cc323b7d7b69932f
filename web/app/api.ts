import { MutationCache, QueryCache, QueryClient } from '@tanstack/preact-query'
import { ApiError, createSessionClient } from '../../src/client/index.ts'
import { withSignInAgain } from './sign-in-again.ts'
import { createStore } from './store.ts'

/** Where requests go. Nothing is requested on the server, which has no location. */
export const ORIGIN = globalThis.location?.origin ?? 'http://localhost'

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

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteError }),
    mutationCache: new MutationCache({ onError: noteError }),
    defaultOptions: {
      // The client itself repeats what may succeed the next time, and says what does not. A browser
      // that is offline may still reach a server on the same computer.
      queries: {
        retry: false,
        staleTime: 5_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

export const queryClient = createQueryClient()

export function messageOf(err: unknown): string {
  if (err instanceof ApiError && err.code === 'unreachable') {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  return err instanceof Error ? err.message : 'That did not work. Try again.'
}
