import { describe, expect, jest, test } from 'bun:test'
import { PanelError } from './calls.ts'
import { createPoller, pollDelayMs } from './polling.ts'

const CALM = { isOpen: true, quietRuns: 0, failures: 0, retryAfterS: 0 }

describe('the time between two runs', () => {
  const cases: [string, Partial<Parameters<typeof pollDelayMs>[0]>, number][] = [
    ['an open tab', {}, 4000],
    ['a closed one', { isOpen: false }, 60_000],
    ['an open tab where nothing happens for a while', { quietRuns: 100 }, 9000],
    ['an open tab where nothing happens at all', { quietRuns: 100_000 }, 15_000],
    ['after a failure', { failures: 1 }, 8000],
    ['after many', { failures: 50 }, 120_000],
    ['after many, closed', { isOpen: false, failures: 50 }, 120_000],
    ['where the server says to wait', { failures: 1, retryAfterS: 300 }, 300_000],
  ]
  for (const [what, state, delayMs] of cases) {
    test(`is ${delayMs} ms for ${what}`, () => {
      expect(pollDelayMs({ ...CALM, ...state })).toBe(delayMs)
    })
  }
})

describe('a poller', () => {
  async function passes(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms)
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }

  test('runs at once, rests while the window is hidden, and never twice at the same time', async () => {
    jest.useFakeTimers()
    try {
      const state = { isOpen: true, isVisible: true, runs: 0, running: 0, most: 0 }
      let finish = () => {}
      const poller = createPoller({
        isOpen: () => state.isOpen,
        isVisible: () => state.isVisible,
        async task() {
          state.runs += 1
          state.running += 1
          state.most = Math.max(state.most, state.running)
          await new Promise<void>((resolve) => {
            finish = resolve
          })
          state.running -= 1
          if (state.runs === 3) throw new PanelError('x', 'offline')
          return true
        },
      })
      await passes(0)
      expect(state.runs).toBe(1)
      poller.now()
      poller.now()
      expect(state.runs).toBe(1)
      finish()
      await passes(0)
      expect(state.runs).toBe(2)
      finish()
      await passes(0)
      await passes(4500)
      expect(state.runs).toBe(3)
      finish()
      await passes(0)
      await passes(5000)
      expect(state.runs, 'after a failure').toBe(3)
      state.isVisible = false
      poller.schedule()
      await passes(600_000)
      expect([state.runs, state.most], 'hidden').toEqual([3, 1])
    } finally {
      jest.useRealTimers()
    }
  })
})
