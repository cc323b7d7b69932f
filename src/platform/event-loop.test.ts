import { expect, test } from 'bun:test'
import { addEventLoopMetrics, createMetrics, watchEventLoop } from './metrics.ts'

test('a stall of the event loop is reported with its duration', async () => {
  const eventLoop = watchEventLoop()
  try {
    await Bun.sleep(30)
    const until = performance.now() + 120
    while (performance.now() < until) {}
    await Bun.sleep(30)
    const { p99, max } = eventLoop.stalls()
    expect(max).toBeGreaterThan(0.1)
    expect(p99).toBeLessThanOrEqual(max * 1.01)
    const metrics = createMetrics()
    addEventLoopMetrics(metrics, eventLoop)
    expect(await metrics.write()).toMatch(/^handbill_event_loop_stall_max_seconds \d+\.\d+$/m)
  } finally {
    eventLoop.close()
  }
})
