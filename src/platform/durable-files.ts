import * as nodeFiles from 'node:fs/promises'

/** The part of `node:fs/promises` that writes. A test passes one that records the calls. */
export type Files = Pick<typeof nodeFiles, 'mkdir' | 'open' | 'rename' | 'rm'>

/** Writes a new file that only this user can read, and syncs it. */
export async function writeSynced(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  files: Files = nodeFiles,
): Promise<void> {
  const file = await files.open(path, 'wx', 0o600)
  try {
    const chunks = content instanceof Uint8Array ? [content] : content
    for await (const chunk of chunks) await writeAll(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes at the current position, again where the system took only a part. */
export async function writeAll(file: nodeFiles.FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength; ) {
    offset += (await file.write(chunk, offset)).bytesWritten
  }
}

/** Makes new and renamed entries of a folder durable. */
export async function syncFolder(path: string, files: Files = nodeFiles): Promise<void> {
  const folder = await files.open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
