import type { TemporaryFile } from '../../temporary-files.ts'
import type { BlobContent } from '../index.ts'
import type { S3Body } from './client.ts'

const PIECE_BYTES = 256 * 1024

export function bodyOf(bytes: Uint8Array, hash: string): S3Body {
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES)
    }
  }
  return { sizeBytes: bytes.byteLength, hash, chunks }
}

export async function writeTo(
  file: TemporaryFile,
  content: Exclude<BlobContent, Uint8Array>,
): Promise<number> {
  let sizeBytes = 0
  for await (const chunk of content) {
    await file.append(chunk)
    sizeBytes += chunk.byteLength
  }
  return sizeBytes
}

export async function* piecesOf(
  file: TemporaryFile,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, sizeBytes - at))
    await file.readAt(piece, at)
    yield piece
  }
}
