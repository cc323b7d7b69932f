import { expect, it } from 'bun:test'
import { createClockWatch, createForwardWatch } from './clock.ts'

const S = 1000
// Seconds of the time of day and of the other clock since the check before, and the jump found.
const CASES: [what: string, wall: number, monotonic: number, jump: number][] = [
  ['both run on', 10, 10, 0],
  ['it is corrected slowly', 10.4, 10, 0],
  ['it is set forward', 3610, 10, 3600],
  ['it is set back', -3590, 10, -3600],
  ['the computer slept, and the other clock with it', 500, 10, 490],
  ['the process was stopped, and both ran on', 500, 500, 0],
]

for (const [what, wall, monotonic, jump] of CASES) {
  it(`finds a jump of ${jump} s where ${what}`, () => {
    let now = { wallMs: 1e12, monotonicMs: 5 }
    const watch = createClockWatch(() => now)
    now = { wallMs: 1e12 + wall * S, monotonicMs: 5 + monotonic * S }
    expect(watch.check()).toBe(jump * S)
    expect(watch.jumps()).toBe(jump === 0 ? 0 : 1)
    now = { wallMs: now.wallMs + 10 * S, monotonicMs: now.monotonicMs + 10 * S }
    expect(watch.check()).toBe(0)
  })
}

it('knows for an hour that the time of day was set forward, and not that it was set back', () => {
  const HOUR = 3600 * S
  let now = { wallMs: 1e12, monotonicMs: 5 }
  const wasSetForward = createForwardWatch(HOUR, () => now)
  const after = (wall: number, monotonic: number) => {
    now = { wallMs: now.wallMs + wall, monotonicMs: now.monotonicMs + monotonic }
    return wasSetForward()
  }
  expect(after(60 * S, 10 * S)).toBe(false)
  expect(after(-10 * HOUR, 10 * S)).toBe(false)
  expect(after(10 * HOUR, 10 * S)).toBe(true)
  expect(after(HOUR / 2, HOUR / 2)).toBe(true)
  expect(after(-10 * HOUR, HOUR / 4)).toBe(true)
  expect(after(HOUR / 4, HOUR / 4)).toBe(false)
})
