import type { TemporaryFile, TemporaryFiles } from './temporary-files.ts'

/** The part of what arrives that is in memory. The rest of what has more is in a file. */
export const PIECE_BYTES = 256 * 1024

/** Collects bytes that arrive, of any number and in chunks of any size. */
export function createSpool(temporaryFiles: TemporaryFiles) {
  const memory = new Bun.ArrayBufferSink()
  memory.start({ stream: true, asUint8Array: true })
  let [memoryBytes, fileBytes] = [0, 0]
  let file: TemporaryFile | null = null
  let writing: Promise<void> = Promise.resolve()
  let last: Uint8Array | undefined

  async function write(piece: Uint8Array): Promise<void> {
    file ??= await temporaryFiles.create()
    await file.append(piece)
  }

  return {
    sizeBytes: () => fileBytes + memoryBytes,
    /** @returns null where it is in memory; else resolves once it is written */
    add(chunk: Uint8Array): Promise<void> | null {
      memory.write(chunk)
      memoryBytes += chunk.byteLength
      if (memoryBytes <= PIECE_BYTES) return null
      const piece = memory.flush() as Uint8Array
      fileBytes += memoryBytes
      memoryBytes = 0
      writing = writing.then(() => write(piece))
      return writing
    },
    /** All of it, once nothing more is added. */
    async read(): Promise<Uint8Array> {
      await writing
      last ??= memory.flush() as Uint8Array
      if (file === null) return last
      const bytes = Buffer.allocUnsafeSlow(fileBytes + memoryBytes)
      await file.readAt(bytes.subarray(0, fileBytes), 0)
      bytes.set(last, fileBytes)
      return bytes
    },
    /** Frees the memory and the file, after a write that failed, too. */
    async close(): Promise<void> {
      memory.end()
      await writing.catch(() => {})
      await file?.close()
      file = null
    },
  }
}
export type Spool = ReturnType<typeof createSpool>
