import { describe, expect, it } from 'bun:test'
import { createClock } from './clock.ts'

describe('a clock', () => {
  it('follows the system’s clock', () => {
    const before = Date.now()
    const ms = createClock().ms()
    expect(ms).toBeGreaterThanOrEqual(before)
    expect(ms).toBeLessThanOrEqual(Date.now())
  })

  it('gives later timestamps each time, also when the system’s clock is corrected', () => {
    const times = [1_000.5, 1_000.5, 990, 1_000.5004]
    const clock = createClock(() => times.shift()!)
    expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([
      '1970-01-01T00:00:01.000500Z',
      '1970-01-01T00:00:01.000501Z',
      '1970-01-01T00:00:01.000502Z',
      '1970-01-01T00:00:01.000503Z',
    ])
  })

  it('follows the system’s clock where that is set back', () => {
    const times = [36_000_000, 500, 500, 36_000_000]
    const clock = createClock(() => times.shift()!)
    expect([clock.now(), clock.now(), clock.now(), clock.now()]).toEqual([
      '1970-01-01T10:00:00.000000Z',
      '1970-01-01T00:00:00.500000Z',
      '1970-01-01T00:00:00.500001Z',
      '1970-01-01T10:00:00.000000Z',
    ])
  })
})
