import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../model/errors.ts'

/** How often the numbers of the accounts that somebody waits for are read, once for all of them. */
const READ_EACH_MS = 50
const MAX_WAITS = 10_000
const MAX_WAITS_OF_ACCOUNT = 1000
const RETRY_AFTER_S = 10

interface Wait {
  accountId: string
  /** Null: all of the account. */
  pageId: string | null
  /** The last number that is known. */
  after: number
  end(): void
}

export interface WaitOptions extends Omit<Wait, 'end'> {
  ms: number
  /** Aborts where the client is gone. */
  signal?: AbortSignal | undefined
}

interface WaitsDeps {
  /** The last number of each account that has one. */
  readNumbers(accountIds: readonly string[]): Promise<Map<string, number>>
  /** The pages with events after a number. */
  readPages(accountId: string, after: number): Promise<Set<string>>
}

/**
 * Waits for events with higher numbers. One query for all who wait sees those of every node, on
 * either engine, so nothing has to be announced and no announcement can be lost.
 */
export function createWaits({ readNumbers, readPages }: WaitsDeps) {
  const waits = new Set<Wait>()
  let isReading = false
  let isStopped = false

  function endAll(): void {
    for (const { end } of waits) end()
  }

  /** Ends those whose page has something new: others would read, and find nothing. */
  async function endTouched(accountId: string, behind: Wait[], last: number): Promise<void> {
    const isAnyOfPage = behind.some(({ pageId }) => pageId !== null)
    const after = Math.min(...behind.map((wait) => wait.after))
    const pages = isAnyOfPage ? await readPages(accountId, after) : new Set<string>()
    for (const wait of behind) {
      if (wait.pageId === null || pages.has(wait.pageId)) wait.end()
      else wait.after = last
    }
  }

  async function readWhileSomebodyWaits(): Promise<void> {
    if (isReading) return
    isReading = true
    while (waits.size > 0) {
      await sleep(READ_EACH_MS)
      try {
        const ofAccounts = Map.groupBy(waits, ({ accountId }) => accountId)
        for (const [accountId, last] of await readNumbers([...ofAccounts.keys()])) {
          const behind = ofAccounts.get(accountId)!.filter(({ after }) => after < last)
          await endTouched(accountId, behind, last)
        }
      } catch {
        // Their own reads say what is wrong.
        endAll()
      }
    }
    isReading = false
  }

  function assertFree(accountId: string): void {
    let own = 0
    for (const wait of waits) if (wait.accountId === accountId) own += 1
    if (waits.size < MAX_WAITS && own < MAX_WAITS_OF_ACCOUNT) return
    const text = 'Too many requests wait for feedback: try again in a moment, or without wait_s.'
    throw refuse.rateLimited('rate_limited', text, { retry_after: RETRY_AFTER_S })
  }

  return {
    /**
     * Ends when there is a higher number, the time is over, the client is gone or the server stops.
     *
     * @throws Refusal `rate_limited`
     */
    wait({ accountId, pageId, after, ms, signal }: WaitOptions): Promise<void> {
      if (isStopped || signal?.aborted) return Promise.resolve()
      assertFree(accountId)
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(end, ms)
      const wait: Wait = { accountId, pageId, after, end }
      function end(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        waits.delete(wait)
        resolve()
      }
      signal?.addEventListener('abort', end)
      waits.add(wait)
      void readWhileSomebodyWaits()
      return promise
    },
    /** The server stops: all are answered what there is. */
    stop(): void {
      isStopped = true
      endAll()
    },
    isStopped: () => isStopped,
    count: () => waits.size,
  }
}
