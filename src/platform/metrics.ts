import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import packageJson from '../../package.json' with { type: 'json' }
import { inTime } from './promises.ts'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  labels?: Labels
  value: number
  /** The kind of a histogram's sample. */
  suffix?: '_bucket' | '_sum' | '_count'
}

/** Values of one name. Labels have few values: never a slug, an address or a host. */
export interface Family {
  /** The name, in base units: `_seconds`, `_bytes`; `_total` for counters. */
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** Null: there is no value now. One that rejects or takes too long is left out. */
  read(): number | null | readonly Sample[] | Promise<number | null | readonly Sample[]>
}

/** How long a value may take: a database that hangs must not hide the other values. */
const READ_MS = 2000
const NAME = /^[a-z][a-z0-9_]*$/

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Reads values on request, in the text format of Prometheus. @param readMs for tests */
export function createMetrics(readMs = READ_MS) {
  const families = new Map<string, Family>()
  let writing: Promise<string> | null = null

  async function writeAll(): Promise<string> {
    const texts = await Promise.all([...families.values()].map((one) => textOf(one, readMs)))
    return texts.join('')
  }
  return {
    /** @throws Error where another family has the name */
    add(family: Family) {
      if (!NAME.test(family.name)) throw new Error(`${family.name} is no name of a metric`)
      if (families.has(family.name)) throw new Error(`There are two metrics ${family.name}`)
      families.set(family.name, family)
    },
    /** All families as text. Concurrent requests share one reading. */
    write() {
      writing ??= writeAll().finally(() => {
        writing = null
      })
      return writing
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

async function textOf({ name, type, help, read }: Family, readMs: number): Promise<string> {
  // One that cannot be read in time is left out.
  const value = await inTime((async () => read())(), readMs, () => null).catch(() => null)
  if (value === null) return ''
  const samples = typeof value === 'number' ? [{ value }] : value
  if (samples.length === 0) return ''
  const lines = samples.map((sample) => lineOf(name, sample))
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function lineOf(name: string, { labels = {}, value, suffix }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  const all = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix ?? ''}${all} ${numberText(value)}`
}

export function numberText(value: number): string {
  return value === Infinity ? '+Inf' : String(value)
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}

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
      const histograms = [current, previous].filter((each) => each !== null && each.count > 0)
      return {
        p99: Math.max(0, ...histograms.map((each) => each!.percentile(99) / NS)),
        max: Math.max(0, ...histograms.map((each) => each!.max / NS)),
      }
    },
    close() {
      clearInterval(timer)
      current.disable()
      previous?.disable()
    },
  }
}
type EventLoop = ReturnType<typeof watchEventLoop>

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
