import type { Stats } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The part of `node:fs/promises` that writes. A test passes one that records the calls. */
export type Files = Pick<typeof nodeFiles, 'mkdir' | 'open' | 'rename' | 'rm'>

/** null where there is no such file, or no longer. */
export async function statOf(path: string): Promise<Stats | null> {
  try {
    return await nodeFiles.stat(path)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
}

/** Writes a new file that only this user can read, and syncs it. */
export async function writeSynced(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  files: Files = nodeFiles,
): Promise<void> {
  await using file = await files.open(path, 'wx', 0o600)
  const chunks = content instanceof Uint8Array ? [content] : content
  for await (const chunk of chunks) await writeAll(file, chunk)
  await file.sync()
}

/**
 * The same atomically: the file appears once it is complete, and a failure leaves nothing. What a
 * killed process left of it is deleted: one process at a time writes a path.
 */
export async function writeWhole(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const partial = `${path}.${process.pid}.part`
  const [folder, name] = [dirname(path), basename(path)]
  const unfinished = new RegExp(`^${RegExp.escape(name)}\\.\\d+\\.part$`)
  try {
    for (const each of await nodeFiles.readdir(folder)) {
      if (unfinished.test(each)) await nodeFiles.rm(join(folder, each), { force: true })
    }
    await writeSynced(partial, content)
    await nodeFiles.rename(partial, path)
    await syncPath(folder)
  } catch (err) {
    await nodeFiles.rm(partial, { force: true })
    // Errors of a write name no file.
    ;(err as NodeJS.ErrnoException).path ??= path
    throw err
  }
}

/** Writes at the current position, again where the system took only a part. */
export async function writeAll(file: nodeFiles.FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += (await file.write(chunk, offset)).bytesWritten
  }
}

/** Makes a file durable that was written elsewhere, or new and renamed entries of a folder. */
export async function syncPath(path: string, files: Files = nodeFiles): Promise<void> {
  await using file = await files.open(path, 'r')
  await file.sync()
}
