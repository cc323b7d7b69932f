/** Aborts a request where nothing moves for too long, or where all of it takes too long. */
export function createStallWatch(stallMs: number, wholeMs: number) {
  const aborting = new AbortController()
  const abort = () => aborting.abort(new Error('The object store is too slow'))
  const whole = setTimeout(abort, wholeMs)
  let stall = setTimeout(abort, stallMs)
  let hasEnded = false
  return {
    signal: aborting.signal,
    abort,
    /** Some bytes were sent, or arrived. */
    moved() {
      if (hasEnded) return
      clearTimeout(stall)
      stall = setTimeout(abort, stallMs)
    },
    end() {
      hasEnded = true
      clearTimeout(whole)
      clearTimeout(stall)
    },
  }
}
export type StallWatch = ReturnType<typeof createStallWatch>
