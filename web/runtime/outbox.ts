import type { Refused } from './refused.ts'
import type { Payload, Receipt } from './submission.ts'

export interface Watcher {
  sent(receipt: Receipt): void
  failed(error: Refused): void
  /** Where this is heard, what cannot go out is kept until it can. */
  kept?(): void
  /** What was kept is tried again. */
  sending?(): void
}

interface Job {
  payload: Payload
  id: string
  key: string
  watcher: Watcher
  isKept: boolean
}

/** Between two tries of what is kept, where the browser sees no change of its connection. */
const RETRY_MS = 60_000
const MAX_REMEMBERED_IDS = 20

/**
 * One after another, in order: the last that a viewer sends is the one that stays. For that reason
 * nothing overtakes what is kept, and when the service cannot be reached, nothing behind is tried.
 */
export function createOutbox(deliver: (payload: Payload, id: string) => Promise<Receipt>) {
  const jobs = new Set<Job>()
  /**
   * By content, the ids of submissions that may have arrived although no answer came back: sent
   * again under its id, one is still counted once.
   */
  const ids = new Map<string, string>()
  let isRunning = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(): Promise<void> {
    if (isRunning || jobs.size === 0) return
    isRunning = true
    clearTimeout(timer)
    for (const job of jobs) {
      const unreachable = await attempt(job)
      if (unreachable === null) continue
      for (const each of [...jobs]) keepOrFail(each, unreachable)
      break
    }
    isRunning = false
    // What a page sends on hearing of a failure is tried for itself.
    if ([...jobs].some(({ isKept }) => !isKept)) void run()
    else if (jobs.size > 0) timer = setTimeout(tryAgain, RETRY_MS * (1 + Math.random()))
  }

  /** @returns why nothing can be reached, or null */
  async function attempt(job: Job): Promise<Refused | null> {
    if (job.isKept) job.watcher.sending?.()
    job.isKept = false
    const sent = await deliver(job.payload, job.id).catch((error: Refused) => error)
    if (sent instanceof Error && sent.code === 'offline') return sent
    jobs.delete(job)
    if (sent instanceof Error) {
      job.watcher.failed(sent)
    } else {
      ids.clear()
      job.watcher.sent(sent)
    }
    return null
  }

  function keepOrFail(job: Job, error: Refused): void {
    if (job.isKept) return
    ids.set(job.key, job.id)
    for (const key of [...ids.keys()].slice(0, -MAX_REMEMBERED_IDS)) ids.delete(key)
    if (job.watcher.kept) {
      job.isKept = true
      job.watcher.kept()
    } else {
      jobs.delete(job)
      job.watcher.failed(error)
    }
  }

  /** The connection is there, as far as the browser knows: it may have been the service. */
  function tryAgain(): void {
    if (navigator.onLine) void run()
  }

  window.addEventListener('online', run)
  return {
    /** @returns how to take it back */
    add(payload: Payload, watcher: Watcher): () => void {
      const key = JSON.stringify([payload.data, payload.name])
      const job = { payload, id: ids.get(key) ?? newId(), key, watcher, isKept: false }
      jobs.add(job)
      void run()
      return () => jobs.delete(job)
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>

/** 132 random bits in 22 characters; `randomUUID` is not there without a secure context. */
function newId(): string {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const bytes = [...crypto.getRandomValues(new Uint8Array(22))]
  return bytes.map((byte) => characters[byte % 64]).join('')
}
