/** Lets `limit` run at once, the rest in the order they came. */
export interface Turns {
  /** Resolves with the function that gives the turn back; rejects when `signal` aborts first. */
  take(signal: AbortSignal): Promise<() => void>
}

export function createTurns(limit: number): Turns {
  let free = limit
  const waiting = new Set<() => void>()

  function release(): void {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }

  function take(signal: AbortSignal): Promise<() => void> {
    if (free > 0) {
      free -= 1
      return Promise.resolve(release)
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(go)
        reject(signal.reason)
      }
      const go = () => {
        waiting.delete(go)
        signal.removeEventListener('abort', leave)
        resolve(release)
      }
      waiting.add(go)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return { take }
}
