/** How many tasks run at once, and the refusal of one more. */
interface Most {
  most: number
  refusal(): Error
}

/** Limits how many tasks run at once: `total` of all accounts, and `perAccount` of each. */
export function createLimiter({ total, perAccount }: { total: Most; perAccount: Most }) {
  /** The account of each running task. */
  const running: string[] = []
  return {
    /**
     * @returns a function that ends the task, to be called once
     * @throws the refusal of the limit that is reached
     */
    start(accountId: string): () => void {
      const own = running.filter((each) => each === accountId).length
      if (own >= perAccount.most) throw perAccount.refusal()
      if (running.length >= total.most) throw total.refusal()
      running.push(accountId)
      return () => void running.splice(running.indexOf(accountId), 1)
    },
  }
}
