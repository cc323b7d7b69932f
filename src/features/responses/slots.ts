/** So many at once, and fewer of one account, so that nobody keeps the others out. */
export function createSlots({ in_all, of_one }: { in_all: number; of_one: number }) {
  const taken: string[] = []
  return {
    /** @returns how to give it back, once; null where there is none left */
    take(account_id: string): (() => void) | null {
      const own = taken.filter((each) => each === account_id).length
      if (taken.length >= in_all || own >= of_one) return null
      taken.push(account_id)
      return () => void taken.splice(taken.indexOf(account_id), 1)
    },
  }
}
