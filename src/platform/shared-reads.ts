/**
 * Shares one read among all calls with the same key in one turn of the event loop. The read starts
 * after the last of them, so that each gets what was committed before its call.
 */
export function shareReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()

  async function readLater(key: string): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve))
    waiting.delete(key)
    return read(key)
  }

  return (key) => {
    const shared = waiting.get(key) ?? readLater(key)
    waiting.set(key, shared)
    return shared
  }
}
