/** Limits how many tasks run at once. The others wait, first come, first served. */
export interface Semaphore {
  /**
   * Resolves with the function that releases the place; call it once. Rejects with the reason of
   * `signal` when that aborts first.
   */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSemaphore(limit: number): Semaphore {
  let free = limit
  const waiting = new Set<() => void>()

  function release(): void {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }

  function acquire(signal: AbortSignal): Promise<() => void> {
    if (free > 0) {
      free -= 1
      return Promise.resolve(release)
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        resolve(release)
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return { acquire }
}
