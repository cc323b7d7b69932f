import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../model/errors.ts'

/** How often the numbers of the accounts that somebody waits for are read, once for all of them. */
const READ_EACH_MS = 25
/** How often it is read which of the awaited pages are still there: a deletion is no event. */
const CHECK_EACH_MS = 1000
const MAX_WAITS = 10_000
const MAX_WAITS_OF_ACCOUNT = 1000
const RETRY_AFTER_S = 10

interface Wait {
  /** Null: all of the account. */
  pageId: string | null
  /** The last number that is known. */
  after: number
  /** By `performance.now()`. */
  untilMs: number
  signal: AbortSignal | undefined
  end(): void
}

interface WaitOptions extends Pick<Wait, 'pageId' | 'after'> {
  accountId: string
  ms: number
  /** Aborts where the client is gone. */
  signal?: AbortSignal | undefined
}

interface WaitsDeps {
  /** The last number of each account that has one. */
  readNumbers(accountIds: readonly string[]): Promise<Map<string, number>>
  readPages(accountId: string, after: number): Promise<Set<string>>
  /** Those of the pages that are not deleted. */
  readExisting(pageIds: string[]): Promise<Set<string>>
}

/**
 * Waits for events with higher numbers. One query for all who wait sees those of every node, on
 * either engine, so nothing has to be announced and no announcement can be lost. The same turn ends
 * those whose time is over or whose client is gone: who waits has no timer and no listener.
 */
export function createWaits({ readNumbers, readPages, readExisting }: WaitsDeps) {
  const ofAccounts = new Map<string, Set<Wait>>()
  let isReading = false
  let isStopped = false

  function endOf(accountId: string, isOver: (wait: Wait) => boolean): void {
    const waits = ofAccounts.get(accountId) ?? new Set()
    for (const wait of waits) {
      if (!isOver(wait)) continue
      waits.delete(wait)
      wait.end()
    }
    if (waits.size === 0) ofAccounts.delete(accountId)
  }

  function endAll(isOver: (wait: Wait) => boolean = () => true): void {
    for (const accountId of ofAccounts.keys()) endOf(accountId, isOver)
  }

  /** Ends those whose page has something new: others would read, and find nothing. */
  async function endBehind(accountId: string, last: number): Promise<void> {
    const behind = [...(ofAccounts.get(accountId) ?? [])].filter(({ after }) => after < last)
    if (behind.length === 0) return
    const isAnyOfPage = behind.some(({ pageId }) => pageId !== null)
    const after = Math.min(...behind.map((wait) => wait.after))
    const pages = isAnyOfPage ? await readPages(accountId, after) : new Set<string>()
    for (const wait of behind) wait.after = last
    const touched = new Set(behind.filter(({ pageId }) => pageId === null || pages.has(pageId)))
    endOf(accountId, (wait) => touched.has(wait))
  }

  /** Ends those whose page was deleted, on whichever node. */
  async function endDeleted(): Promise<void> {
    const waits = [...ofAccounts.values()].flatMap((each) => [...each])
    const awaited = new Set(waits.flatMap(({ pageId }) => pageId ?? []))
    if (awaited.size === 0) return
    const deleted = awaited.difference(await readExisting([...awaited]))
    endAll(({ pageId }) => pageId !== null && deleted.has(pageId))
  }

  async function readWhileSomebodyWaits(): Promise<void> {
    if (isReading) return
    isReading = true
    let checkedMs = performance.now()
    while (ofAccounts.size > 0) {
      await sleep(READ_EACH_MS)
      const now = performance.now()
      endAll(({ untilMs, signal }) => untilMs <= now || signal?.aborted === true)
      try {
        const numbers = await readNumbers([...ofAccounts.keys()])
        for (const [accountId, last] of numbers) await endBehind(accountId, last)
        if (now - checkedMs < CHECK_EACH_MS) continue
        checkedMs = now
        await endDeleted()
      } catch {
        // Their own reads say what is wrong.
        endAll()
      }
    }
    isReading = false
  }

  function count(): number {
    return ofAccounts.values().reduce((sum, { size }) => sum + size, 0)
  }

  return {
    /**
     * Ends when there is a higher number, the time is over, the client or the page is gone, or the
     * server stops.
     *
     * @throws Refusal `rate_limited`
     */
    wait({ accountId, pageId, after, ms, signal }: WaitOptions): Promise<void> {
      if (isStopped || signal?.aborted) return Promise.resolve()
      const own = ofAccounts.get(accountId) ?? new Set()
      if (count() >= MAX_WAITS || own.size >= MAX_WAITS_OF_ACCOUNT) throw tooManyWait()
      const { promise, resolve: end } = Promise.withResolvers<void>()
      own.add({ pageId, after, untilMs: performance.now() + ms, signal, end })
      ofAccounts.set(accountId, own)
      void readWhileSomebodyWaits()
      return promise
    },
    /** The server stops: all are answered what there is. */
    stop(): void {
      isStopped = true
      endAll()
    },
    isStopped: () => isStopped,
    count,
  }
}

function tooManyWait() {
  const text = 'Too many requests wait for feedback: try again in a moment, or without wait_s.'
  return refuse.rateLimited('rate_limited', text, { retry_after_s: RETRY_AFTER_S })
}
