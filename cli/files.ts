import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailed } from './output.ts'

/** The JSON in a file; undefined where there is no file. @throws CommandFailed */
export function readJson(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (err) {
    const { code = '' } = err as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CommandFailed(`Cannot read ${path}: ${reasonOf(err)}.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailed(`${path} is not valid JSON: mend it, or move it away.`)
  }
}

/** Whole or not at all: a reader, or a crash, never meets half of it. */
export function writeJson(path: string, value: unknown, mode: number): void {
  const half = `${path}.${randomUUID()}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(half, `${JSON.stringify(value, null, 2)}\n`, { mode, flag: 'wx' })
    renameSync(half, path)
  } catch (err) {
    rmSync(half, { force: true })
    throw new CommandFailed(`Cannot write ${path}: ${reasonOf(err)}.`)
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links go round in a circle',
  ENOENT: 'it does not exist',
}

/** In words, where a system's error has them. */
export function reasonOf(err: unknown): string {
  const { code = '', message } = err as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
