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

/** Null: there is no value now. One that rejects or takes too long is left out. */
type Read = () => Reading | Promise<Reading>
type Reading = number | null | readonly Sample[]

/** How long a value may take: a database that hangs must not hide the other values. */
const READ_MS = 2000
const NAME = /^[a-z][a-z0-9_]*$/

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Reads values on request, in the text format of Prometheus. @param readMs for tests */
export function createMetrics(readMs = READ_MS) {
  const families = new Map<string, { help: string; read: Read }>()
  let writing: Promise<string> | null = null

  async function writeAll(): Promise<string> {
    const texts = [...families].map(async ([name, { help, read }]) => {
      // One that cannot be read in time is left out.
      const value = await inTime((async () => read())(), readMs, () => null).catch(() => null)
      const samples = typeof value === 'number' ? [{ value }] : (value ?? [])
      return samples.length === 0 ? '' : textOf(name, help, samples)
    })
    return (await Promise.all(texts)).join('')
  }
  return {
    /**
     * Adds values of one name. Labels have few values: never a slug, an address or a host.
     *
     * @param name in base units: `_seconds`, `_bytes`; `_total` for counters, and for them alone
     * @throws Error where another family has the name
     */
    add(name: string, help: string, read: Read) {
      if (!NAME.test(name)) throw new Error(`${name} is no name of a metric`)
      if (families.has(name)) throw new Error(`There are two metrics ${name}`)
      families.set(name, { help, read })
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

function textOf(name: string, help: string, samples: readonly Sample[]): string {
  const isHistogram = samples[0]?.suffix !== undefined
  const type = isHistogram ? 'histogram' : name.endsWith('_total') ? 'counter' : 'gauge'
  const lines = samples.map((sample) => lineOf(name, sample))
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function lineOf(name: string, { labels = {}, value, suffix }: Sample): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escapeHelp(text).replaceAll('"', '\\"')}"`,
  )
  const all = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix ?? ''}${all} ${numberText(value)}`
}

export function numberText(value: number): string {
  return value === Infinity ? '+Inf' : String(value)
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** Computed once: a start that changes with each reading looks like another start. */
const STARTED_S = (Date.now() - performance.now()) / 1000

/**
 * What runs, since when, and what it takes of the machine, by the names of Prometheus' clients.
 * Only Linux reports open files.
 */
export function addProcessMetrics({ add }: Metrics, engine: string): void {
  const labels = { version: packageJson.version, runtime: `bun ${Bun.version}`, engine }
  add('handbill_build_info', 'The version that runs, on which runtime and database.', () => [
    { labels, value: 1 },
  ])
  add(
    'process_start_time_seconds',
    'When the process started, in seconds since the epoch.',
    () => STARTED_S,
  )
  add('process_cpu_seconds_total', 'Processor time that the process has used.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  add(
    'process_resident_memory_bytes',
    'Memory that the process takes.',
    () => process.memoryUsage().rss,
  )
  add(
    'handbill_heap_used_bytes',
    'Memory that objects of the program take.',
    () => process.memoryUsage().heapUsed,
  )
  add(
    'process_open_fds',
    'Open files and connections.',
    async () => (await readdir('/proc/self/fd')).length,
  )
  add('process_max_fds', 'How many files and connections may be open.', async () => {
    const limits = await readFile('/proc/self/limits', 'utf8')
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
    return soft === undefined ? null : Number(soft)
  })
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
  metrics.add(
    'handbill_event_loop_stall_p99_seconds',
    'How long the event loop was held up, 99th percentile of the last minute.',
    () => eventLoop.stalls().p99,
  )
  metrics.add(
    'handbill_event_loop_stall_max_seconds',
    'How long the event loop was held up at most in the last minute.',
    () => eventLoop.stalls().max,
  )
}
