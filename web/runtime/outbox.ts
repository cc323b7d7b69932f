import { newKey } from '../../src/client/idempotency-key.ts'
import type { Payload, Receipt, SubmitError } from './submission.ts'

export interface SubmitListener {
  sent(receipt: Receipt): void
  failed(error: SubmitError): void
  /** With this method, a submission waits for a connection instead of failing without one. */
  waiting?(): void
  /** A waiting submission is sent again. */
  sending?(): void
}

interface Job {
  payload: Payload
  id: string
  key: string
  listener: SubmitListener
  isWaiting: boolean
}

interface Queue {
  jobs: Set<Job>
  /**
   * The ids, by content, of submissions that the server may have stored although no answer came.
   * The same content is sent again under the same id, so that it counts once.
   */
  ids: Map<string, string>
  deliver(payload: Payload, id: string): Promise<Receipt>
}

/** When waiting jobs are retried if the browser reports nothing: ever later. */
const FIRST_RETRY_MS = 4000
const MAX_RETRY_MS = 60_000
/** A browser ends a request with its page where it is large, or the repetition of another. */
const ASK_AFTER_MS = 1000
const MAX_REMEMBERED_IDS = 20

/**
 * Delivers submissions one after another, in order, since the viewer's last submission is the one
 * that the server stores. If the server is unreachable, all of them wait or fail.
 */
export function createOutbox(deliver: Queue['deliver']) {
  const jobs: Queue['jobs'] = new Set()
  const ids: Queue['ids'] = new Map()
  let isRunning = false
  let retryMs = FIRST_RETRY_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(): Promise<void> {
    if (isRunning || jobs.size === 0) return
    isRunning = true
    clearTimeout(timer)
    timer = setTimeout(() => window.addEventListener('beforeunload', warn), ASK_AFTER_MS)
    await deliverAll({ jobs, ids, deliver })
    clearTimeout(timer)
    isRunning = false
    window.removeEventListener('beforeunload', warn)
    if (jobs.size > 0) window.addEventListener('beforeunload', warn)
    // A submission that the page makes in reaction to a failure is tried separately.
    if ([...jobs].some(({ isWaiting }) => !isWaiting)) void run()
    else if (jobs.size > 0) timer = setTimeout(runOnline, retryMs * (1 + Math.random()))
    retryMs = jobs.size > 0 ? Math.min(retryMs * 2, MAX_RETRY_MS) : FIRST_RETRY_MS
  }

  /** Asks before it is lost. Some browsers keep no document for Back that listens. */
  function warn(event: Event): void {
    if (jobs.size > 0) event.preventDefault()
  }

  function runOnline(): void {
    if (navigator.onLine) void run()
  }

  window.addEventListener('online', run)
  document.addEventListener('visibilitychange', runOnline)
  return {
    /** @returns a function that cancels the submission */
    add(payload: Payload, listener: SubmitListener): () => void {
      const key = JSON.stringify([payload.data, payload.name])
      const job = { payload, id: ids.get(key) ?? newKey(), key, listener, isWaiting: false }
      jobs.add(job)
      void run()
      return () => jobs.delete(job)
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>

/** Stops at the first job that does not reach the server. */
async function deliverAll(queue: Queue): Promise<void> {
  const { jobs, ids, deliver } = queue
  for (const job of jobs) {
    const { listener, payload, id } = job
    if (job.isWaiting) listener.sending?.()
    job.isWaiting = false
    const result = await deliver(payload, id).catch((error: SubmitError) => error)
    if (result instanceof Error && result.code === 'offline') {
      for (const each of [...jobs]) waitOrFail(queue, each, result)
      return
    }
    jobs.delete(job)
    if (result instanceof Error) {
      listener.failed(result)
    } else {
      ids.clear()
      listener.sent(result)
    }
  }
}

function waitOrFail({ jobs, ids }: Queue, job: Job, error: SubmitError): void {
  const { key, id, listener } = job
  if (job.isWaiting) return
  ids.set(key, id)
  for (const oldest of [...ids.keys()].slice(0, -MAX_REMEMBERED_IDS)) ids.delete(oldest)
  if (listener.waiting) {
    job.isWaiting = true
    listener.waiting()
  } else {
    jobs.delete(job)
    listener.failed(error)
  }
}
