/** Runs a limited number of tasks at once, in the order of the calls. */
export function createTaskQueue(maxRunning: number) {
  const places = createPlaces(maxRunning)

  return async <T>(task: () => Promise<T>): Promise<T> => {
    const free = await places.take()
    try {
      return await task()
    } finally {
      free()
    }
  }
}

/** A semaphore: limits concurrent use, in the order of the calls. */
export function createPlaces(count: number) {
  const waiting: (() => void)[] = []
  let taken = 0

  function free(): void {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }

  return {
    /** @returns a function that releases the place; call it once */
    async take(): Promise<() => void> {
      if (taken < count) taken += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isFree = false
      return () => {
        if (!isFree) free()
        isFree = true
      }
    },
  }
}
