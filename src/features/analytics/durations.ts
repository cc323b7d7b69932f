/** The longest view that is counted, in seconds: in a longer one the page was open but not read. */
export const MAX_SECONDS = 4 * 60 * 60
/** Up to here each second is a step of its own; then steps grow by a tenth. */
const EXACT = 30
const GROWTH = 1.1

/** The step that a duration belongs to: fewer than a hundred of them reach the longest view. */
export function stepOf(seconds: number): number {
  if (seconds <= EXACT) return seconds
  return EXACT + Math.ceil(Math.log(seconds / EXACT) / Math.log(GROWTH))
}

/** The longest duration of a step. */
export function secondsOf(step: number): number {
  return step <= EXACT ? step : Math.round(EXACT * GROWTH ** (step - EXACT))
}

/** @returns null without durations */
export function medianOf(steps: readonly { step: number; count: number }[]): number | null {
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const { step, count } of [...steps].sort((a, b) => a.step - b.step)) {
    seen += count
    if (seen * 2 >= total) return secondsOf(step)
  }
  return null
}
