/** So many at once, and fewer of one account, so that nobody keeps the others out. */
export function createSlots({ inAll, ofOne }: { inAll: number; ofOne: number }) {
  const taken: string[] = []
  return {
    /** @returns how to give it back, once; null where there is none left */
    take(accountId: string): (() => void) | null {
      const own = taken.filter((each) => each === accountId).length
      if (taken.length >= inAll || own >= ofOne) return null
      taken.push(accountId)
      return () => void taken.splice(taken.indexOf(accountId), 1)
    },
  }
}
