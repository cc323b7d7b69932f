import { join } from 'node:path'
import { LOAD_CORE, runOn } from './processes.ts'

export interface WrkRun {
  /** Complete responses. */
  responses: number
  /** Responses whose status was not 2xx or 3xx. */
  refused: number
  bytes: number
  perSecond: number
  p99Ms: number
}

export interface WrkOptions {
  url: string
  connections: number
  seconds: number
  /** A Lua file in this folder. It must load report.lua. */
  script?: string
  args?: string[]
  headers?: Record<string, string>
  /** The core that wrk runs on: that of the load, unless this says otherwise. */
  core?: number
  /** For a load whose own times do not matter: what measures on its core comes first. */
  isBackground?: boolean
}

/** Runs wrk with one thread and keep-alive. @throws when a connection failed */
export async function wrk(options: WrkOptions): Promise<WrkRun> {
  const { url, connections, seconds, script = 'report.lua', args = [], headers = {} } = options
  const output = await runOn(options.core ?? LOAD_CORE, [
    ...(options.isBackground ? ['nice', '-n', '19'] : []),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout=20s',
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    '-s',
    join(import.meta.dir, script),
    url,
    '--',
    ...args,
  ])
  const line = output.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`)
  const figures = JSON.parse(line) as Record<
    'requests' | 'bytes' | 'duration_us' | 'p99_us' | 'status' | 'broken',
    number
  >
  if (figures.broken > 0) throw new Error(`${figures.broken} connections to ${url} broke`)
  return {
    responses: figures.requests,
    refused: figures.status,
    bytes: figures.bytes,
    perSecond: (figures.requests / figures.duration_us) * 1e6,
    p99Ms: figures.p99_us / 1000,
  }
}
