const SLICE_MS = 8

/**
 * Divides long work, so that a server answers other requests meanwhile and a page's own scripts
 * have a turn.
 *
 * @returns a function to call between the steps. It pauses where they have taken a slice of time,
 *   and then resolves with true.
 */
export function createSlices(): () => Promise<boolean> {
  let sliceEnd = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < sliceEnd) return false
    await new Promise((resolve) => setTimeout(resolve))
    sliceEnd = performance.now() + SLICE_MS
    return true
  }
}
