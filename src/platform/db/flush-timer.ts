/** A relaxed commit is durable after this long at the latest, or with the next full commit. */
const RELAXED_MS = 100

/**
 * Makes relaxed commits durable: calls `flush` soon after the first of them.
 *
 * @param flush tried again after `RELAXED_MS` when it rejects
 */
export function createFlushTimer(flush: () => Promise<unknown>) {
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
    /** Call it after each relaxed commit. */
    schedule,
    /** Call it after a full commit, which made the earlier ones durable too. */
    cancel,
    /** Flushes now if a flush is pending, and never again. */
    async stop() {
      isStopped = true
      const isPending = timer !== undefined
      cancel()
      if (isPending) await flush()
    },
  }
}
