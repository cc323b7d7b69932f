/** The time limits of one fetch. The first that passes aborts everything the fetch still does. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Aborts after `ms`, unless the returned function is called before. */
  limit(ms: number): () => void
  /** Rejects as soon as the signal aborts, even if `work` never settles. */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops every timer and aborts, so that no socket and no DNS query remains after the fetch. */
  end(): void
}

export function createDeadline(totalMs: number): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const timers = new Set<ReturnType<typeof setTimeout>>()

  function limit(ms: number): () => void {
    const timer = setTimeout(() => controller.abort(), ms)
    timers.add(timer)
    return () => {
      clearTimeout(timer)
      timers.delete(timer)
    }
  }

  function race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    })
  }

  limit(totalMs)
  return {
    signal,
    limit,
    race,
    end() {
      for (const timer of timers) clearTimeout(timer)
      controller.abort()
    },
  }
}
