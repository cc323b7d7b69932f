import { expect, it } from 'bun:test'
import { parseMetrics } from '../../testing/prometheus.ts'
import { createMetrics } from '../metrics.ts'
import { addWorkerMetrics, readWorkerUsage, type UsageOfWorker } from './usage.ts'

const usageOf = (worker: number): UsageOfWorker => ({
  worker,
  usage: {
    ...{ startedS: 1_795_000_000 + worker, cpuS: worker / 4 },
    ...{ residentBytes: worker * 1000, heapUsedBytes: worker * 100 },
    ...{ stallP99S: worker / 1000, stallMaxS: worker / 100 },
  },
})

it('has the values of each worker by its number, from one reading', async () => {
  const metrics = createMetrics()
  let readings = 0
  addWorkerMetrics(metrics, async () => {
    readings += 1
    return [usageOf(1), usageOf(2)]
  })
  const families = parseMetrics(await metrics.write())
  expect(readings).toBe(1)
  const found = [...families].map(([name, { type, samples }]) => [
    name,
    type,
    ...samples.map(({ labels, value }) => `${labels.worker}: ${value}`),
  ])
  expect(found).toEqual([
    ['handbill_worker_start_time_seconds', 'gauge', '1: 1795000001', '2: 1795000002'],
    ['handbill_worker_cpu_seconds_total', 'counter', '1: 0.25', '2: 0.5'],
    ['handbill_worker_resident_memory_bytes', 'gauge', '1: 1000', '2: 2000'],
    ['handbill_worker_heap_used_bytes', 'gauge', '1: 100', '2: 200'],
    ['handbill_worker_event_loop_stall_p99_seconds', 'gauge', '1: 0.001', '2: 0.002'],
    ['handbill_worker_event_loop_stall_max_seconds', 'gauge', '1: 0.01', '2: 0.02'],
  ])
  await metrics.write()
  expect(readings).toBe(2)
})

it('has none of these names while no worker serves', async () => {
  const metrics = createMetrics()
  addWorkerMetrics(metrics, async () => [])
  expect(await metrics.write()).toBe('')
})

it('reads what this process takes', () => {
  const usage = readWorkerUsage({ stalls: () => ({ p99: 0.5, max: 1 }) })
  expect(usage).toMatchObject({ stallP99S: 0.5, stallMaxS: 1 })
  expect(usage.cpuS).toBeGreaterThan(0)
  expect(usage.residentBytes).toBeGreaterThan(usage.heapUsedBytes)
  expect(usage.heapUsedBytes).toBeGreaterThan(100_000)
  expect(usage.startedS).toBeWithin(1e9, Date.now() / 1000)
  expect(readWorkerUsage({ stalls: () => ({ p99: 0, max: 0 }) }).startedS).toBe(usage.startedS)
})
