/** Limits how many tasks run at once: `total` of all accounts, and `perAccount` of each. */
export function createLimiter({ total, perAccount }: { total: number; perAccount: number }) {
  /** The account of each running task. */
  const running: string[] = []
  return {
    /** @returns a function that ends the task, to be called once; null if a limit is reached */
    start(accountId: string): (() => void) | null {
      const own = running.filter((each) => each === accountId).length
      if (running.length >= total || own >= perAccount) return null
      running.push(accountId)
      return () => void running.splice(running.indexOf(accountId), 1)
    },
  }
}
