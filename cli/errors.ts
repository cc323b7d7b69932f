import { resolve } from 'node:path'
import { closestName } from '../src/model/input.ts'
import { FILE_ERRORS } from './json-files.ts'
import { CommandFailed, oneLine, WrongUsage, writeJson, writeLines } from './output.ts'

interface Failure extends Error {
  code?: unknown
  status?: unknown
  param?: unknown
  request_id?: unknown
  details?: Record<string, unknown>
  result?: unknown
}

/** Errors with a code of their own. */
const CODED = ['ApiError', 'Refusal', 'NotFound']
/** Errors whose message is for the user. The others are bugs. */
const EXPECTED: Record<string, string> = {
  CommandFailed: 'failed',
  ContentProblem: 'failed',
  WrongUsage: 'wrong_usage',
  ConfigError: 'bad_setting',
}

interface ErrorReport {
  /** Prints the error on stdout as well, as one JSON value in the place of the result. */
  asJson: boolean
  /** The command whose help to name after wrong usage. Empty: the help of all. */
  command: string
  isDebugging: boolean
}

/** Reports why a command failed, on one line of stderr. Returns its exit status. */
export function reportError(err: unknown, report: ErrorReport): number {
  const failure = err as Failure
  if (report.asJson) writeJson({ error: describe(failure) })
  writeLines('stderr', linesOf(failure, report))
  if (err instanceof WrongUsage) return 2
  // 4 is what `systemctl` and `rclone` answer for it, too.
  return String(failure.code).endsWith('_not_found') ? 4 : 1
}

function describe({ name, message, code, status, param, request_id, details, result }: Failure) {
  if (!CODED.includes(name)) return { code: EXPECTED[name] ?? 'internal_error', message, result }
  return { code, message, ...(status !== undefined && { status }), param, request_id, ...details }
}

function linesOf(failure: Failure, { command, isDebugging }: ErrorReport): string[] {
  const { name, message, code, stack, cause } = failure
  if (name === 'ApiError') return [`handbill: ${oneLine(message)} (${oneLine(code)})`]
  if (name === 'WrongUsage') {
    const help = command === '' ? '--help' : `${command} --help`
    return [`handbill: ${oneLine(message)} See handbill ${help}.`]
  }
  // One line for each setting that is wrong.
  if (name === 'ConfigError') return `handbill: ${message}`.split('\n')
  const isBug = !CODED.includes(name) && EXPECTED[name] === undefined
  if (isBug && isDebugging) return `handbill: ${stack ?? message}`.split('\n')
  const where = isDebugging && cause instanceof Error ? `${cause.stack}`.split('\n') : []
  return [`handbill: ${oneLine(message)}`, ...where]
}

const DENIED = ['EACCES', 'EPERM', 'EROFS']

/** Says which file the operating system refused and why, and which user, where that decides. */
export function explainFileError(err: unknown, uid = process.getuid!()): unknown {
  const { code = '', path, name } = err as NodeJS.ErrnoException
  // Of a blob of Node.js: it remembers the size and time of its file.
  if (name === 'NotReadableError') {
    return new CommandFailed('A file was changed while it was read: run this again.')
  }
  const reason = FILE_ERRORS[code]
  if (!(err instanceof Error) || reason === undefined || path === undefined) return err
  const user = DENIED.includes(code) ? ` The program runs as user ${uid}.` : ''
  const text = `Cannot use ${resolve(path)}: ${reason}.${user}`
  return Object.assign(new CommandFailed(text), { cause: err })
}

/** The end of a message about an unknown name: a question, or nothing where none is like it. */
export function didYouMean(input: string, names: Iterable<string>, prefix = ''): string {
  const name = closestName(input, names)
  return name === null ? '' : ` Did you mean ${prefix}${name}?`
}
