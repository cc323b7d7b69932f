import type { EventLoop } from '../event-loop.ts'
import type { Family, Metrics, Sample } from '../metrics.ts'
import { type ProcessUsage, readProcessUsage } from '../process-metrics.ts'

export interface WorkerUsage extends ProcessUsage {
  stallP99S: number
  stallMaxS: number
}

export function readWorkerUsage(eventLoop: Pick<EventLoop, 'stalls'>): WorkerUsage {
  const { p99, max } = eventLoop.stalls()
  return { ...readProcessUsage(), stallP99S: p99, stallMaxS: max }
}

export interface UsageOfWorker {
  /** From 1 on. A worker that is started in place of another has its number. */
  worker: number
  usage: WorkerUsage
}

type WorkerFamily = Pick<Family, 'name' | 'type' | 'help'> & { value: keyof WorkerUsage }

const FAMILIES: readonly WorkerFamily[] = [
  {
    name: 'handbill_worker_start_time_seconds',
    type: 'gauge',
    help: 'When the worker started, in seconds since the epoch.',
    value: 'startedS',
  },
  {
    name: 'handbill_worker_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time that the worker has used since it started.',
    value: 'cpuS',
  },
  {
    name: 'handbill_worker_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory that the worker takes, what it shares with other processes included.',
    value: 'residentBytes',
  },
  {
    name: 'handbill_worker_heap_used_bytes',
    type: 'gauge',
    help: 'Memory that objects of the program take in the worker.',
    value: 'heapUsedBytes',
  },
  {
    name: 'handbill_worker_event_loop_stall_p99_seconds',
    type: 'gauge',
    help: 'How long the worker’s event loop was held up, 99th percentile of the last minute.',
    value: 'stallP99S',
  },
  {
    name: 'handbill_worker_event_loop_stall_max_seconds',
    type: 'gauge',
    help: 'How long the worker’s event loop was held up at most in the last minute.',
    value: 'stallMaxS',
  },
]

/**
 * What each worker takes, by its number. The names of Prometheus' clients, such as
 * `process_cpu_seconds_total`, are of the process that is asked: the main one.
 */
export function addWorkerMetrics(metrics: Metrics, readAll: () => Promise<UsageOfWorker[]>): void {
  let reading: Promise<UsageOfWorker[]> | null = null
  /** One reading is for all families. */
  function readShared(): Promise<UsageOfWorker[]> {
    reading ??= readAll().finally(() => {
      reading = null
    })
    return reading
  }
  for (const { value, ...family } of FAMILIES) {
    metrics.add({
      ...family,
      read: async () =>
        (await readShared()).map(
          ({ worker, usage }): Sample => ({
            labels: { worker: String(worker) },
            value: usage[value],
          }),
        ),
    })
  }
}
