import { describe, expect, it } from 'bun:test'
import { createFlushTimer } from './flush-timer.ts'

function counted(failures = 0) {
  const flushes: number[] = []
  const timer = createFlushTimer(async () => {
    flushes.push(performance.now())
    if (flushes.length <= failures) throw new Error('The disk failed')
  })
  return { flushes, timer }
}

describe('a flush timer', () => {
  it('flushes once for all commits of 100 ms', async () => {
    const { flushes, timer } = counted()
    const start = performance.now()
    for (let i = 0; i < 5; i++) timer.schedule()
    await Bun.sleep(300)
    expect(flushes).toHaveLength(1)
    expect(flushes[0]! - start).toBeGreaterThan(80)
    timer.schedule()
    await Bun.sleep(300)
    expect(flushes).toHaveLength(2)
  })

  it('does not flush after a full commit', async () => {
    const { flushes, timer } = counted()
    timer.schedule()
    timer.cancel()
    await Bun.sleep(200)
    expect(flushes).toHaveLength(0)
  })

  it('tries again after a flush that failed', async () => {
    const { flushes, timer } = counted(1)
    timer.schedule()
    await Bun.sleep(500)
    expect(flushes).toHaveLength(2)
  })

  it('flushes at stop if a flush is pending, and never afterwards', async () => {
    const { flushes, timer } = counted()
    timer.schedule()
    await timer.stop()
    expect(flushes).toHaveLength(1)
    timer.schedule()
    await Bun.sleep(200)
    expect(flushes).toHaveLength(1)
  })
})
