import { join } from 'node:path'
import { runOnLoadCore } from './lab.ts'

export interface WrkRun {
  /** Answers that came whole. */
  answers: number
  /** Those of them that were not 2xx or 3xx. */
  refused: number
  bytes: number
  perSecond: number
  p99Ms: number
}

export interface WrkOrder {
  url: string
  connections: number
  seconds: number
  /** A Lua file beside this one; it must load report.lua itself. */
  script?: string
  args?: string[]
  headers?: Record<string, string>
}

/** One run of wrk: a single thread, keep-alive. @throws when a connection failed */
export async function wrk(order: WrkOrder): Promise<WrkRun> {
  const { url, connections, seconds, script = 'report.lua', args = [], headers = {} } = order
  const said = await runOnLoadCore([
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
  const line = said.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`wrk told no figures:\n${said}`)
  const told = JSON.parse(line) as Record<
    'requests' | 'bytes' | 'duration_us' | 'p99_us' | 'status' | 'broken',
    number
  >
  if (told.broken > 0) throw new Error(`${told.broken} connections to ${url} broke`)
  return {
    answers: told.requests,
    refused: told.status,
    bytes: told.bytes,
    perSecond: (told.requests / told.duration_us) * 1e6,
    p99Ms: told.p99_us / 1000,
  }
}
