const SLICE_MS = 8

/**
 * Divides long work, so that other requests are answered meanwhile.
 *
 * @returns a function to call between the steps: it pauses when they have taken a slice of time
 */
export function createSlices(): () => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < sliceEnd) return
    await new Promise((resolve) => setTimeout(resolve))
    sliceEnd = performance.now() + SLICE_MS
  }
}
