/** Runs at most so many tasks at once, in the order in which they came. */
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

/** Gives a limited number of places away, in the order of the calls. */
export function createPlaces(count: number) {
  const waiting: (() => void)[] = []
  let taken = 0

  function free(): void {
    const next = waiting.shift()
    if (next === undefined) taken -= 1
    else next()
  }

  return {
    /** @returns frees the place, once */
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
