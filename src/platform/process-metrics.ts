import { readdir, readFile } from 'node:fs/promises'
import packageJson from '../../package.json' with { type: 'json' }
import type { Family, Metrics } from './metrics.ts'

/** Computed once: a start that changes with each reading looks like another start. */
const STARTED_S = (Date.now() - performance.now()) / 1000

/** What the process takes of the machine, by the names of Prometheus' clients. */
const FAMILIES: readonly Family[] = [
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started, in seconds since the epoch.',
    read: () => STARTED_S,
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time that the process has used.',
    read() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory that the process takes.',
    read: () => process.memoryUsage().rss,
  },
  {
    name: 'handbill_heap_used_bytes',
    type: 'gauge',
    help: 'Memory that objects of the program take.',
    read: () => process.memoryUsage().heapUsed,
  },
  // Only Linux reports these two. One that cannot be read is left out.
  {
    name: 'process_open_fds',
    type: 'gauge',
    help: 'Open files and connections.',
    read: async () => (await readdir('/proc/self/fd')).length,
  },
  {
    name: 'process_max_fds',
    type: 'gauge',
    help: 'How many files and connections may be open.',
    async read() {
      const limits = await readFile('/proc/self/limits', 'utf8')
      const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
      return soft === undefined ? null : Number(soft)
    },
  },
]

/** What runs, since when, and what it takes of the machine. */
export function addProcessMetrics(metrics: Metrics, engine: string): void {
  const labels = { version: packageJson.version, runtime: `bun ${Bun.version}`, engine }
  metrics.add({
    name: 'handbill_build_info',
    type: 'gauge',
    help: 'The version that runs, on which runtime and database.',
    read: () => [{ labels, value: 1 }],
  })
  for (const family of FAMILIES) metrics.add(family)
}
