import type { TemporaryFile, TemporaryFiles } from '../../platform/temporary-files.ts'
import type { BodyBudgets, Sender } from './body-budget.ts'

/** The part of a body that is in memory while it arrives. The rest of a larger one is in a file. */
const PIECE_BYTES = 256 * 1024

export interface ArrivingBodyDeps {
  budgets: BodyBudgets
  temporaryFiles: TemporaryFiles
}

export interface ArrivingBody {
  /** @throws Refusal `server_busy` */
  add(chunk: Uint8Array): Promise<void>
  /** The complete body, in memory. @throws Refusal `server_busy` after a wait for memory */
  whole(): Promise<Uint8Array>
  /** Deletes the file. */
  close(): Promise<void>
}

/**
 * A body that is being received. Its sender may stall, so only a piece of it is in memory until all
 * of it has arrived.
 *
 * @param declaredBytes NaN where the length is not known
 */
export function createArrivingBody(
  { budgets, temporaryFiles }: ArrivingBodyDeps,
  { request, sender }: { request: Request; sender: Sender },
  declaredBytes: number,
): ArrivingBody {
  // The pages of the buffer take memory only once they are written.
  const piece = Buffer.allocUnsafeSlow(declaredBytes < PIECE_BYTES ? declaredBytes : PIECE_BYTES)
  let pieceBytes = 0
  let reservedBytes = 0
  let fileBytes = 0
  let file: TemporaryFile | null = null

  function fill(part: Uint8Array): void {
    const moreBytes = pieceBytes + part.byteLength - reservedBytes
    if (moreBytes > 0) {
      budgets.arriving.reserve(request, sender, moreBytes)
      reservedBytes += moreBytes
    }
    piece.set(part, pieceBytes)
    pieceBytes += part.byteLength
  }

  async function writePiece(): Promise<void> {
    reserveFile()
    file ??= await temporaryFiles.create()
    await file.append(piece)
    fileBytes += pieceBytes
    pieceBytes = 0
  }

  /**
   * Reserves a declared length at once. Of many concurrent bodies, some are then completed and the
   * others refused early, instead of all being refused half-way.
   */
  function reserveFile(): void {
    if (Number.isNaN(declaredBytes)) budgets.files.reserve(request, sender, pieceBytes)
    else if (file === null) budgets.files.reserve(request, sender, declaredBytes)
  }

  return {
    async add(chunk) {
      for (let at = 0; at < chunk.byteLength; ) {
        if (pieceBytes === piece.byteLength) await writePiece()
        const part = chunk.subarray(at, at + piece.byteLength - pieceBytes)
        fill(part)
        at += part.byteLength
      }
    },
    async whole() {
      const rest = piece.subarray(0, pieceBytes)
      if (file === null) return rest
      await budgets.whole.reserveInTurn(request, sender, fileBytes + pieceBytes)
      const bytes = Buffer.allocUnsafeSlow(fileBytes + pieceBytes)
      await file.read(bytes.subarray(0, fileBytes))
      bytes.set(rest, fileBytes)
      return bytes
    },
    async close() {
      await file?.close()
      budgets.files.release(request)
    },
  }
}
