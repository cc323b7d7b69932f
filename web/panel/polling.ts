import { PanelError } from './calls.ts'

const OPEN_MS = 4000
/** While nothing changes, an open tab polls at growing intervals, up to this one. */
const QUIET_MS = 15_000
const QUIET_STEP_MS = 50
const CLOSED_MS = 60_000
const MAX_FAILURE_MS = 120_000

interface PollOptions {
  /** @returns whether something had changed */
  task: () => Promise<boolean>
  isOpen(): boolean
  isVisible(): boolean
}

/** The wait after a run. */
export function pollDelayMs(state: {
  isOpen: boolean
  /** How many runs in a row found no change. */
  quietRuns: number
  /** How many runs in a row failed, and the last `Retry-After` of the server. */
  failures: number
  retryAfterS: number
}): number {
  const { isOpen, quietRuns, failures, retryAfterS } = state
  const openMs = Math.min(QUIET_MS, OPEN_MS + quietRuns * QUIET_STEP_MS)
  const baseMs = isOpen ? openMs : CLOSED_MS
  if (failures === 0) return baseMs
  const failureMs = Math.min(MAX_FAILURE_MS, baseMs * 2 ** failures)
  return Math.max(failureMs, retryAfterS * 1000)
}

/** Runs a task again and again: at once, then as often as `pollDelayMs` says. */
export function createPoller({ task, isOpen, isVisible }: PollOptions) {
  const state = { quietRuns: 0, failures: 0, retryAfterS: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  let endedMs = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isAskedAgain = false

  async function run(): Promise<void> {
    clearTimeout(timer)
    if (isRunning) {
      isAskedAgain = true
      return
    }
    isRunning = true
    try {
      const hasChanged = await task()
      state.failures = 0
      state.quietRuns = hasChanged ? 0 : state.quietRuns + 1
    } catch (err) {
      state.failures += 1
      state.retryAfterS = err instanceof PanelError ? err.retryAfterS : 0
    }
    isRunning = false
    endedMs = performance.now()
    const isAgain = isAskedAgain
    isAskedAgain = false
    if (isAgain) void run()
    else schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (isRunning || !isVisible()) return
    // Jitter, so that a thousand panels do not poll at the same moment.
    const delayMs = pollDelayMs({ ...state, isOpen: isOpen() }) * (0.9 + Math.random() / 5)
    timer = setTimeout(run, Math.max(0, endedMs + delayMs - performance.now()))
  }

  schedule()
  return {
    /** After the tab or the window was shown or hidden. */
    schedule,
    now() {
      state.quietRuns = 0
      void run()
    },
  }
}
