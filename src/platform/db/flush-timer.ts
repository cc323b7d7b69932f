/** A relaxed commit is durable after this long at the latest, or with the next full commit. */
const RELAXED_MS = 100

/** Makes relaxed commits durable: calls `flush` soon after the first of them. */
export interface FlushTimer {
  /** Call it after each relaxed commit. */
  schedule(): void
  /** Call it after a full commit, which made the earlier ones durable too. */
  cancel(): void
  /** Flushes now if a flush is pending, and never again. */
  stop(): Promise<void>
}

/** @param flush tried again after `RELAXED_MS` when it rejects */
export function createFlushTimer(flush: () => Promise<unknown>): FlushTimer {
  let timer: Timer | undefined
  let isStopped = false

  function schedule(): void {
    if (!isStopped) timer ??= setTimeout(run, RELAXED_MS)
  }
  function cancel(): void {
    clearTimeout(timer)
    timer = undefined
  }
  function run(): void {
    timer = undefined
    flush().catch(schedule)
  }

  return {
    schedule,
    cancel,
    async stop() {
      isStopped = true
      const isPending = timer !== undefined
      cancel()
      if (isPending) await flush()
    },
  }
}
