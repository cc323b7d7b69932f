import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailed, NotFound, oneLine } from './output.ts'

/** Reads a text file. Undefined if there is no file. @throws CommandFailed */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    const { code = '' } = err as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, err)
  }
}

/** Reads a JSON file. Undefined if there is no file. @throws CommandFailed */
export function readJson(path: string): unknown {
  const text = readText(path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailed(`${path} is not valid JSON: mend it, or move it away.`)
  }
}

/** The object in a JSON file that a command wrote; an empty one if there is no file. */
export function readObject(path: string): Record<string, unknown> {
  const value = readJson(path) ?? {}
  if (isRecord(value)) return value
  throw new CommandFailed(`${path} is not a file that handbill wrote: move it away.`)
}

/** Writes a JSON file atomically. @throws CommandFailed */
export function writeJson(path: string, value: unknown, mode: number): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, mode)
}

/** Writes a file atomically: a crash or a reader at the same time never sees half of it. */
export function writeWhole(path: string, text: string, mode: number): void {
  // What a link leads to is written, not the link: settings are often kept elsewhere.
  const target = existsSync(path) ? realpathSync(path) : path
  const temporary = `${target}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    renameSync(temporary, target)
  } catch (err) {
    if (existsSync(temporary)) rmSync(temporary)
    throw new CommandFailed(`Cannot write ${path}: ${describeFileError(err)}.`)
  }
}

export const FILE_ERRORS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links go round in a circle',
  ENOENT: 'it does not exist',
}

export function describeFileError(err: unknown): string {
  const { code = '', message } = err as NodeJS.ErrnoException
  return FILE_ERRORS[code] ?? message
}

export function unreadable(path: string, err: unknown): CommandFailed {
  const message = `Cannot read ${oneLine(path)}: ${describeFileError(err)}.`
  const isThere = (err as NodeJS.ErrnoException).code !== 'ENOENT'
  return isThere ? new CommandFailed(message) : new NotFound('file_not_found', message)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
