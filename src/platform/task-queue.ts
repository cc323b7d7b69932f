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
  let running = 0

  function free(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    /** @returns a function that releases the place; call it once */
    async take(): Promise<() => void> {
      if (running < count) running += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isFree = false
      return () => {
        if (!isFree) free()
        isFree = true
      }
    },
  }
}

interface LineOptions {
  maxWaitMs: number
  /** How many calls may wait. */
  most?: number
  /** Whether a call for which there is no room yet holds up those behind it. */
  isInOrder: boolean
  /** Of a call that waits for too long, or of one more than may wait. */
  refusal(): Error
}

/** Calls that wait for room, such as in memory. */
export function createWaitingLine({ maxWaitMs, most, isInOrder, refusal }: LineOptions) {
  const calls = new Set<{ take(): boolean; begin(): void }>()

  /** Lets those begin for whom there is room now. Call it when some became free. */
  function proceed(): void {
    for (const call of calls) {
      if (call.take()) {
        calls.delete(call)
        call.begin()
      } else if (isInOrder) return
    }
  }

  return {
    /** Those that wait. */
    calls: calls as ReadonlySet<unknown>,
    proceed,
    /** @param take takes the room of the call; false while there is none */
    async wait(take: () => boolean): Promise<void> {
      if (most !== undefined && calls.size >= most) throw refusal()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const call = { take, begin: resolve }
      calls.add(call)
      proceed()
      if (!calls.has(call)) return
      const timer = setTimeout(() => {
        if (calls.delete(call)) reject(refusal())
        // It may have been the one that those behind it waited for.
        proceed()
      }, maxWaitMs)
      await promise.finally(() => clearTimeout(timer))
    },
  }
}

/** How many tasks run at once, and the refusal of one more. */
interface Most {
  most: number
  refusal(): Error
}

/** Limits how many tasks run at once: `total` of all accounts, and `perAccount` of each. */
export function createLimiter({ total, perAccount }: { total: Most; perAccount: Most }) {
  const running = new Set<{ accountId: string }>()

  function limitFor(accountId: string): Most | undefined {
    const own = [...running].filter((task) => task.accountId === accountId).length
    if (own >= perAccount.most) return perAccount
    return running.size >= total.most ? total : undefined
  }

  return {
    hasRoom: (accountId: string) => limitFor(accountId) === undefined,
    /**
     * @returns a function that ends the task
     * @throws the refusal of the limit that is reached
     */
    start(accountId: string): () => void {
      const limit = limitFor(accountId)
      if (limit !== undefined) throw limit.refusal()
      const task = { accountId }
      running.add(task)
      return () => void running.delete(task)
    },
  }
}

/** Runs `work` in at most `most()` workers at once, between `open` and `close`. */
export function createWorkers(
  most: () => number,
  work: (mayContinue: () => boolean) => Promise<void>,
) {
  const running = new Set<Promise<void>>()
  let isOpen = false
  let isWoken = false

  function start(): void {
    if (!isOpen || running.size >= most()) return
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
