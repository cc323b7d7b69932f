import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

/** The interval of a timer. A stall is the delay with which it fires. */
const RESOLUTION_MS = 10
/** Half of the time that an answer covers at least. */
const WINDOW_MS = 30_000
const NS = 1e9

type Delays = ReturnType<typeof monitorEventLoopDelay>

/** Measures how long the event loop is blocked: while one request computes, all others wait. */
export function watchEventLoop() {
  let current = start()
  let previous: Delays | null = null
  const timer = setInterval(() => {
    previous?.disable()
    previous = current
    current = start()
  }, WINDOW_MS).unref()

  return {
    /** How long everybody waited, in seconds, over the last 30 to 60 seconds. */
    stalls() {
      // A new histogram knows nothing yet: the one before covers its time.
      const known = [current, previous].filter((each) => each !== null && each.count > 0)
      return {
        p99: Math.max(0, ...known.map((each) => each!.percentile(99) / NS)),
        max: Math.max(0, ...known.map((each) => each!.max / NS)),
      }
    },
    close() {
      clearInterval(timer)
      current.disable()
      previous?.disable()
    },
  }
}
export type EventLoop = ReturnType<typeof watchEventLoop>

function start(): Delays {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return histogram
}

export function addEventLoopMetrics(metrics: Metrics, eventLoop: Pick<EventLoop, 'stalls'>): void {
  metrics.add({
    name: 'handbill_event_loop_stall_p99_seconds',
    type: 'gauge',
    help: 'How long the event loop was held up, 99th percentile of the last minute.',
    read: () => eventLoop.stalls().p99,
  })
  metrics.add({
    name: 'handbill_event_loop_stall_max_seconds',
    type: 'gauge',
    help: 'How long the event loop was held up at most in the last minute.',
    read: () => eventLoop.stalls().max,
  })
}
