import { writeSync } from 'node:fs'
import { BlobsDown } from './blobs/index.ts'
import { DatabaseDown } from './db/errors.ts'
import { plain, redact } from './log-values.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export const LOG_FORMATS = ['json', 'pretty'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export type Fields = Record<string, unknown>

/**
 * Writes one line per event. The message is a constant text; everything that varies is in the
 * fields, and an error in the field `err`. Secrets are redacted. Logging never throws.
 */
export interface Log {
  /** A request that was answered: `info` in JSON, `debug` for people, who follow other lines. */
  request(msg: string, fields?: Fields): void
  debug(msg: string, fields?: Fields): void
  info(msg: string, fields?: Fields): void
  warn(msg: string, fields?: Fields): void
  error(msg: string, fields?: Fields): void
}

interface LogOptions {
  level: LogLevel
  /** null: pretty in a terminal, else JSON. */
  format: LogFormat | null
}

interface Line {
  time: string
  level: LogLevel
  msg: string
  fields: Fields
}

/** @param write gets one line with its newline; by default stderr, since stdout is for results */
export function createLog(options: LogOptions, write: (line: string) => void = toStderr): Log {
  const isTerminal = write === toStderr && process.stderr.isTTY === true
  const format = options.format ?? (isTerminal ? 'pretty' : 'json')
  const render = format === 'json' ? renderJson : (line: Line) => renderPretty(line, isTerminal)
  const lowest = LOG_LEVELS.indexOf(options.level)

  function at(level: LogLevel) {
    if (LOG_LEVELS.indexOf(level) < lowest) return () => {}
    return (msg: string, fields: Fields = {}) => {
      // The outage was logged, once.
      if (fields.err instanceof DatabaseDown || fields.err instanceof BlobsDown) return
      try {
        const all = plain(fields) as Fields
        write(render({ time: new Date().toISOString(), level, msg: redact(msg), fields: all }))
      } catch {
        // A failure of the log must not break the work that it reports.
      }
    }
  }
  return {
    request: at(format === 'json' ? 'info' : 'debug'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}

function renderJson({ fields, ...first }: Line): string {
  return `${JSON.stringify({ ...first, ...fields, ...first })}\n`
}

const COLOURS: Record<LogLevel, number> = { debug: 90, info: 36, warn: 33, error: 31 }

function renderPretty({ time, level, msg, fields }: Line, isColoured: boolean): string {
  const { err, ...others } = fields
  const { stack, ...rest } = (err ?? {}) as { stack?: unknown }
  const all = err === undefined ? others : { ...others, ...rest }
  const present = Object.entries(all).filter(([, value]) => value !== undefined)
  const pairs = present.map(([name, value]) => `${name}=${renderValue(value)}`)
  const word = level.toUpperCase().padEnd(5)
  const start = isColoured ? `\x1b[${COLOURS[level]}m${word}\x1b[0m` : word
  const line = [time.slice(11, 23), start, oneLine(msg), ...pairs].join(' ')
  return typeof stack === 'string' ? `${line}\n${stack.replaceAll(/^/gm, '    ')}\n` : `${line}\n`
}

function renderValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value)) return value
  return JSON.stringify(value)
}

/** Escapes newlines, so that text from a visitor cannot fake a line of the log. */
function oneLine(text: string): string {
  return /\p{Cc}/u.test(text) ? JSON.stringify(text) : text
}

function toStderr(line: string): void {
  writeSync(2, line)
}
