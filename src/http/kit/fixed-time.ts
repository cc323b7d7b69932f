/** Longer than the work it hides takes, on a slow disk too. */
const STEP_MS = 60

/**
 * Resolves a fixed time after the call, or a multiple of it, whatever the work was: the response
 * time does not show what the work found. The timer starts before the work.
 */
export async function atFixedTime<T>(work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const timer = Bun.sleep(STEP_MS)
  try {
    return await work()
  } finally {
    await timer
    const lateMs = performance.now() - startMs - STEP_MS
    // A timer is late by a few milliseconds; what is later is the work.
    if (lateMs > STEP_MS / 4) await Bun.sleep(STEP_MS - (lateMs % STEP_MS))
  }
}
