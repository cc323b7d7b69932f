/** Reads values on request, in the text format of Prometheus. */

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

/** The content type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** @param readMs for tests */
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
  const value = await inTime(async () => read(), readMs)
  if (value === null) return ''
  const samples = typeof value === 'number' ? [{ value }] : value
  if (samples.length === 0) return ''
  const lines = samples.map((sample) => lineOf(name, sample))
  return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

/** @returns null where reading fails or takes too long */
async function inTime<T>(read: () => Promise<T>, readMs: number): Promise<T | null> {
  let timer: Timer | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, readMs, null)
  })
  const value = read().catch(() => null)
  return Promise.race([value, late]).finally(() => clearTimeout(timer))
}

function lineOf(name: string, { labels = {}, value, suffix }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  const all = pairs.length === 0 ? '' : `{${pairs.join(',')}}`
  return `${name}${suffix ?? ''}${all} ${numberText(value)}`
}

export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}
