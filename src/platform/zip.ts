import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { takeTurn, unlessAborted } from './promises.ts'

/** How many bytes are hashed, or short pieces written, in one turn of the event loop. */
const TURN_BYTES = 512 * 1024
const TURN_PIECES = 50
const PIECE_BYTES = 64 * 1024

/** The entries of a zip that is being written. */
export interface ZipWriter {
  add(name: string, bytes: Buffer): void
  /**
   * Adds an entry that is opened when the archive has got to it, so that one is open at a time.
   *
   * @param options.isPacked its bytes are compressed already, and are stored as they are
   */
  addLazily(
    name: string,
    open: () => Promise<AsyncIterable<Uint8Array>>,
    options?: { isPacked?: boolean; changedAt?: Date },
  ): void
  /** The same for chunks that are read then. Resolves once the entry is written. */
  write(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    options?: { isPacked?: boolean },
  ): Promise<void>
  /** Aborts when the reader of the archive has stopped. */
  signal: AbortSignal
}

/**
 * Writes a zip while it is read. `addAll` adds its entries, and may wait between them. Where it or
 * an entry fails, the archive breaks off: it has no table of contents, so no program opens it. A
 * name that leads out of the archive is such a failure.
 */
export async function* writeZip(
  addAll: (zip: ZipWriter) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const stopped = new AbortController()
  const fail = (err: Error) => void output.destroy(err)
  zip.on('error', fail)
  const writer: ZipWriter = {
    signal: stopped.signal,
    add: (name, bytes) => zip.addBuffer(bytes, name),
    addLazily(name, open, { isPacked = false, changedAt } = {}) {
      const mtime = changedAt === undefined ? {} : { mtime: changedAt }
      // yazl keeps the callback until the archive ends, so that must not keep what the entry has.
      let begin: typeof open | null = open
      zip.addReadStreamLazy(name, { mode: 0o600, compress: !isPacked, ...mtime }, (callback) => {
        const opening = begin!()
        begin = null
        opening.then(
          // yazl does not handle the error of a stream that fails while it is read.
          (chunks) => callback(null, Readable.from(piecesInTurns(chunks)).once('error', fail)),
          (err: Error) => callback(err, Readable.from([])),
        )
      })
    },
    write(name, chunks, options) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      async function* read() {
        try {
          yield* chunks
        } catch (err) {
          reject(err)
          throw err
        }
        resolve()
      }
      writer.addLazily(name, async () => read(), options)
      return unlessAborted(promise, stopped.signal)
    },
  }
  addAll(writer).then(() => stopped.signal.aborted || zip.end(), fail)
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    stopped.abort()
    output.destroy()
  }
}

/** Archives that are written at the same time share turns, with each other and with other work. */
async function* piecesInTurns(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES)
      await takeTurn(Math.max(1 / TURN_PIECES, piece.byteLength / TURN_BYTES))
      yield piece
    }
  }
}
