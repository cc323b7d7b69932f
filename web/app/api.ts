import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/preact-query'
import {
  ApiError,
  type ClientSource,
  createSessionClient,
  type Output,
} from '../../src/client/index.ts'
import { ACCOUNT_HEADER } from '../../src/model/app-api.ts'
import { withSignInAgain } from './sign-in-again.ts'
import { createStore } from './store.ts'
import { showToast } from './ui/toast.tsx'

export { ApiError, type Input, type Output } from '../../src/client/index.ts'
export type Account = Output<'getAccount'>['data']
export type ListedPage = Output<'listPages'>['data'][number]
export type Folder = Output<'listFolders'>['data'][number]
export type Page = Output<'getPage'>['data']

/** Where requests go. Nothing is requested on the server, which has no location. */
const ORIGIN = globalThis.location?.origin ?? 'http://localhost'

/** From here on, a wait that the server asks for is said. */
const LONG_WAIT_MS = 3000

/** A client for the account of this tab, which each request names. */
export function createClient(source: ClientSource, send: typeof fetch = fetch) {
  const sendFor = (url: string, init: RequestInit) => {
    const id = queryClient.getQueryData<Account>(['account'])?.id
    return send(url, { ...init, headers: { ...init.headers, ...(id && { [ACCOUNT_HEADER]: id }) } })
  }
  return createSessionClient({
    baseUrl: ORIGIN,
    source,
    fetch: sendFor as typeof fetch,
    onRetry(waitMs) {
      if (waitMs < LONG_WAIT_MS) return
      const seconds = Math.ceil(waitMs / 1000)
      showToast(`The server has too much to do. This goes on by itself in ${seconds} seconds.`)
    },
  })
}

/** The operations of the API, for the account that is signed in. */
export const api = withSignInAgain(createClient('editor'))

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

/** Codes of the client, whose messages are for programs: something else than Handbill answers. */
const NO_ANSWER = ['unreachable', 'not_handbill', 'redirected']

export function messageOf(err: unknown): string {
  // Each browser has words of its own for a module that did not come.
  const isModule = err instanceof TypeError && /import/i.test(err.message)
  if (isModule || (err instanceof ApiError && NO_ANSWER.includes(err.code))) {
    return 'The server cannot be reached. Check the connection and try again.'
  }
  return err instanceof Error ? err.message : 'That did not work. Try again.'
}

/** A query of one operation: the data of its answer. @param refetchInterval in milliseconds */
export function read<T>(
  queryKey: QueryKey,
  call: () => Promise<{ data: T }>,
  refetchInterval: number | false = false,
) {
  return queryOptions({ queryKey, queryFn: async () => (await call()).data, refetchInterval })
}

/** A query of a list that is read part by part. @param call reads the part from an offset on */
export function readParts<T extends { next_offset: number | null }>(
  queryKey: QueryKey,
  call: (offset: number) => Promise<T>,
  refetchInterval: number | false = false,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: offset }) => call(offset),
    initialPageParam: 0,
    getNextPageParam: (part) => part.next_offset,
    refetchInterval,
  })
}

/**
 * Reads again what a write has changed. A first read that is still on its way is given up, too: it
 * may have begun before the write.
 */
export async function readAgain(keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      await queryClient.cancelQueries({ queryKey })
      await queryClient.invalidateQueries({ queryKey })
    }),
  )
}
