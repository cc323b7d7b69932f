import { newSha256, sha256 } from '../../secrets.ts'
import { BlobDamaged, BlobsUnavailable } from '../index.ts'
import { bodyOf } from './bodies.ts'
import { readNothing, readText, type S3Body, type S3Client, WrongAnswer } from './client.ts'
import { completeRequest, errorCodes, uploadIdIn } from './xml.ts'

/** S3 takes 10,000 parts: objects of up to 156 GB. */
const PART_BYTES = 16 * 1024 * 1024
const MAX_PARTS = 10_000

/**
 * Stores content of unknown length as one object, holding one part of it at a time. The object
 * appears once all parts are there. Where something fails, the parts are deleted.
 *
 * @param object a name that needs no escape
 */
export async function putInParts(
  client: S3Client,
  object: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ sizeBytes: number }> {
  const begun = { method: 'POST', object, query: { uploads: '' } } as const
  const uploadId = uploadIdIn(await client.send(begun, readText))
  if (uploadId === null) throw new BlobsUnavailable('The object store began no upload')
  try {
    let sizeBytes = 0
    const etags: string[] = []
    for await (const body of partsOf(content)) {
      if (etags.length === MAX_PARTS) throw new Error('The object is too large for 10,000 parts')
      const query = { partNumber: String(etags.length + 1), uploadId }
      etags.push(await client.send({ method: 'PUT', object, query, body }, readEtag))
      sizeBytes += body.sizeBytes
    }
    await complete(client, object, { uploadId, etags })
    return { sizeBytes }
  } catch (err) {
    const abort = { method: 'DELETE', object, query: { uploadId } } as const
    await client.sendOnce(abort, readNothing).catch(() => {})
    throw err
  }
}

async function complete(
  client: S3Client,
  object: string,
  { uploadId, etags }: { uploadId: string; etags: string[] },
): Promise<void> {
  const bytes = Buffer.from(completeRequest(etags))
  const headers = { 'content-type': 'application/xml' }
  const request = { method: 'POST', object, query: { uploadId }, headers } as const
  const body = bodyOf(bytes, sha256(bytes))
  const code = await client.send({ ...request, body }, readText).then(
    (answer) => errorCodes(answer)[0],
    async (err: unknown) => {
      // An answer that was lost: the second request finds no upload any more, but the object.
      if (!(err instanceof BlobDamaged)) throw err
      await client.send({ method: 'HEAD', object }, readNothing)
      return undefined
    },
  )
  if (code !== undefined) throw new BlobsUnavailable(`The object store kept no object: ${code}`)
}

/** The content in parts of one size, of which the last may be smaller. It reuses the memory. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<S3Body> {
  const part = Buffer.allocUnsafe(PART_BYTES)
  let [filled, parts] = [0, 0]
  let sum = newSha256()
  for await (const chunk of content) {
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + PART_BYTES - filled)
      part.set(piece, filled)
      sum.update(piece)
      filled += piece.byteLength
      at += piece.byteLength
      if (filled < PART_BYTES) continue
      yield bodyOf(part, sum.digest('hex'))
      parts += 1
      filled = 0
      sum = newSha256()
    }
  }
  if (filled > 0 || parts === 0) yield bodyOf(part.subarray(0, filled), sum.digest('hex'))
}

async function readEtag(headers: Headers, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  await readText(headers, chunks)
  const etag = headers.get('etag')
  if (etag === null) throw new WrongAnswer('The object store named no ETag of a part')
  return etag
}
