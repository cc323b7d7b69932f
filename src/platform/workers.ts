/** Runs `work` in a limited number of workers at once, between `open` and `close`. */
export function createWorkers(most: number, work: (mayContinue: () => boolean) => Promise<void>) {
  const running = new Set<Promise<void>>()
  let isOpen = false
  let isWoken = false

  function start(): void {
    if (!isOpen || running.size >= most) return
    isWoken = false
    const worker = work(() => isOpen).finally(() => {
      running.delete(worker)
      // Woken while all workers were running, and perhaps after each had looked for the last time.
      if (isWoken) start()
    })
    running.add(worker)
  }

  return {
    start,
    /** There may be work: a worker looks for it after this call. */
    wake(): void {
      isWoken = true
      start()
    },
    open(): void {
      isOpen = true
    },
    /** Starts no further work. Resolves when all workers have ended. */
    async close(): Promise<void> {
      isOpen = false
      await Promise.all(running)
    },
  }
}
