import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PAGE_RECORD_FILE } from '../src/client/content/deck-builder.ts'
import { describeFileError } from './json-files.ts'
import { CommandFailed, oneLine } from './output.ts'

export interface PulledFile {
  path: string
  /** Its bytes, checked at their end. */
  chunks(): AsyncIterable<Uint8Array>
}

interface SaveOptions {
  force: boolean
  /** Nobody else on the computer may read it. */
  isPrivate?: boolean
}

/** Saves a file, which appears under its name once it is complete. @returns the path */
export async function saveFile(
  target: string,
  file: PulledFile,
  { force, isPrivate = false }: SaveOptions,
): Promise<string> {
  if (!force && existsSync(target)) {
    throw new CommandFailed(`${target} exists: name another path, or add --force.`)
  }
  await write(target, file, isPrivate ? 0o600 : 0o666)
  return target
}

/**
 * Saves files in a new folder. Files that are there already and have no successor stay.
 * @returns the paths below the folder
 */
export async function saveFolder(
  folder: string,
  files: readonly PulledFile[],
  force: boolean,
): Promise<string[]> {
  for (const { path } of files) assertInside(path)
  if (!force && existsSync(folder) && !isEmptyFolder(folder)) {
    throw new CommandFailed(`${folder} exists and is not empty: name another, or add --force.`)
  }
  const paths = new Map<string, string>()
  for (const file of files) {
    assertNoLink(folder, file.path)
    const target = join(folder, file.path)
    // Where `A.html` and `a.html` are one file, the second would replace the first.
    const other = existsSync(target) && paths.get(identityOf(target))
    if (other) {
      const names = `${oneLine(other)} and ${oneLine(file.path)}`
      throw new CommandFailed(`${names} are one file in ${folder}: pull it on another drive.`)
    }
    await write(target, file)
    paths.set(identityOf(target), file.path)
  }
  return files.map(({ path }) => path)
}

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

async function write(target: string, file: PulledFile, mode = 0o666): Promise<void> {
  const partial = `${target}.${process.pid}.partial`
  const deletePartial = () => existsSync(partial) && rmSync(partial)
  // Also where the command is interrupted.
  process.once('exit', deletePartial)
  try {
    mkdirSync(dirname(target), { recursive: true })
    // A stream that opens it by itself may make it after its source has failed.
    const partialFile = await open(partial, 'wx', mode)
    await pipeline(Readable.from(file.chunks()), partialFile.createWriteStream())
    renameSync(partial, target)
  } catch (err) {
    deletePartial()
    const code = (err as NodeJS.ErrnoException).code
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw err
    throw new CommandFailed(`${oneLine(target)} cannot be written: ${describeFileError(err)}`)
  } finally {
    process.off('exit', deletePartial)
  }
}

/** A server must not choose where files are written: a path stays below its folder. */
function assertInside(path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (isPlain && !/[\\\0]|^[a-z]:/i.test(path) && path !== PAGE_RECORD_FILE) return
  throw new CommandFailed(`The deck has a path that cannot be saved: ${oneLine(path)}`)
}

/** A link that is there already could lead out of the folder. */
function assertNoLink(folder: string, path: string): void {
  const parts = path.split('/')
  for (let depth = 1; depth < parts.length; depth++) {
    const above = join(folder, ...parts.slice(0, depth))
    if (lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new CommandFailed(`${above}${sep} is a link: remove it, or name another folder.`)
    }
  }
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0
}
