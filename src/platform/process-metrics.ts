import { readdir, readFile } from 'node:fs/promises'
import packageJson from '../../package.json' with { type: 'json' }
import type { Metrics } from './metrics.ts'

/** Computed once: a start that changes with each reading looks like another start. */
const STARTED_S = (Date.now() - performance.now()) / 1000

/** The resources that a process uses. */
export interface ProcessUsage {
  /** When it started, in seconds since the epoch. */
  startedS: number
  cpuS: number
  residentBytes: number
  heapUsedBytes: number
}

export function readProcessUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    startedS: STARTED_S,
    cpuS: (user + system) / 1e6,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
  }
}

/** What runs, since when, and what it takes of the machine. By the names of Prometheus' clients. */
export function addProcessMetrics(metrics: Metrics, engine: string): void {
  metrics.add({
    name: 'handbill_build_info',
    type: 'gauge',
    help: 'The version that runs, on which runtime and database.',
    read: () => [
      { labels: { version: packageJson.version, runtime: `bun ${Bun.version}`, engine }, value: 1 },
    ],
  })
  metrics.add({
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started, in seconds since the epoch.',
    read: () => STARTED_S,
  })
  metrics.add({
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time that the process has used.',
    read: () => readProcessUsage().cpuS,
  })
  metrics.add({
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory that the process takes.',
    read: () => readProcessUsage().residentBytes,
  })
  metrics.add({
    name: 'handbill_heap_used_bytes',
    type: 'gauge',
    help: 'Memory that objects of the program take.',
    read: () => readProcessUsage().heapUsedBytes,
  })
  addFileDescriptors(metrics)
}

/** Each connection takes one. Only Linux reports them. */
function addFileDescriptors(metrics: Metrics): void {
  if (process.platform !== 'linux') return
  metrics.add({
    name: 'process_open_fds',
    type: 'gauge',
    help: 'Open files and connections.',
    read: async () => (await readdir('/proc/self/fd')).length,
  })
  metrics.add({
    name: 'process_max_fds',
    type: 'gauge',
    help: 'How many files and connections may be open.',
    async read() {
      const limits = await readFile('/proc/self/limits', 'utf8')
      const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
      return soft === undefined ? null : Number(soft)
    },
  })
}
