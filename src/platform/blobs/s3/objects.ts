import { open } from 'node:fs/promises'
import { writeAll } from '../../durable-files.ts'
import { newSha256, sha256 } from '../../ids.ts'
import {
  assertBlobKey,
  BlobDamaged,
  BlobsUnavailable,
  isBlobKey,
  type StoredBlob,
} from '../index.ts'
import { Broken, readText, type S3Body, type S3Client, WrongAnswer } from './client.ts'
import {
  completeRequest,
  deleteRequest,
  errorCodes,
  type ListedObject,
  listedObjects,
  uploadIdIn,
} from './xml.ts'

/** The prefix of our objects: others in the bucket are never listed, read or deleted. */
const PREFIX = 'blobs/'
/** The most that S3 lists in one answer. */
const LISTED = 1000
/** About how long the XML of a listed object is. */
const ABOUT_LISTED_BYTES = 500
/** The most that S3 deletes in one request. */
const DELETED = 1000

export function nameOf(key: string): string {
  assertBlobKey(key)
  return PREFIX + key
}

/** Reads a small object, and compares it with its hash. */
export function readObject(client: S3Client, blob: StoredBlob): Promise<Uint8Array<ArrayBuffer>> {
  return client.send(getRequest(blob), async (headers, chunks) => {
    assertLength(headers, blob)
    return readExactly(checked(blob, chunks), blob.sizeBytes)
  })
}

/** Reads an answer of so many bytes into memory. @throws WrongAnswer */
export async function readExactly(chunks: AsyncIterable<Uint8Array>, sizeBytes: number) {
  const bytes = new Uint8Array(sizeBytes)
  let at = 0
  for await (const chunk of chunks) {
    if (at + chunk.byteLength > sizeBytes) throw new WrongAnswer('The answer is too long')
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  if (at < sizeBytes) throw new WrongAnswer('The answer is too short')
  return bytes
}

/** The same into a file. */
export function copyObject(client: S3Client, blob: StoredBlob, path: string): Promise<void> {
  return client.send(getRequest(blob), async (headers, chunks) => {
    assertLength(headers, blob)
    await using file = await open(path, 'w', 0o600)
    for await (const chunk of checked(blob, chunks)) await writeAll(file, chunk)
  })
}

/** Whether the object is there, with its size. */
export async function checkObject(client: S3Client, blob: StoredBlob): Promise<void> {
  const request = { method: 'HEAD', object: nameOf(blob.key) } as const
  await client.send(request, async (headers) => assertLength(headers, blob))
}

function getRequest({ key, sizeBytes }: StoredBlob) {
  return { method: 'GET', object: nameOf(key), answerBytes: sizeBytes } as const
}

function assertLength(headers: Headers, { key, sizeBytes }: StoredBlob): void {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (length < sizeBytes) throw new BlobDamaged(`Blob ${key} has ${length} bytes, not ${sizeBytes}`)
}

/** The same chunks. @throws WrongAnswer, Broken in the end where they are not the blob's */
async function* checked({ hash, sizeBytes }: StoredBlob, chunks: AsyncIterable<Uint8Array>) {
  const hasher = newSha256()
  let at = 0
  for await (const chunk of chunks) {
    at += chunk.byteLength
    if (at > sizeBytes) throw new WrongAnswer('The object is longer than it was')
    hasher.update(chunk)
    yield chunk
  }
  if (at < sizeBytes) throw new Broken('The object broke off')
  if (hasher.digest('hex') !== hash) throw new WrongAnswer('The object has another hash')
}

export async function deleteObjects(client: S3Client, keys: readonly string[]): Promise<void> {
  const names = keys.map(nameOf)
  for (let at = 0; at < names.length; at += DELETED) {
    await deleteBatch(client, names.slice(at, at + DELETED))
  }
}

async function deleteBatch(client: S3Client, names: string[]): Promise<void> {
  const bytes = Buffer.from(deleteRequest(names))
  const md5 = new Bun.CryptoHasher('md5').update(bytes).digest('base64')
  const headers = { 'content-md5': md5, 'content-type': 'application/xml' }
  const body = bodyOf(bytes, sha256(bytes))
  const request = { method: 'POST', query: { delete: '' }, headers, body } as const
  const codes = errorCodes(await client.send(request, readText))
  const code = codes.find((each) => each !== 'NoSuchKey')
  if (code !== undefined) throw new BlobsUnavailable(`The object store deleted not all: ${code}`)
}

export async function* listBlobs(client: S3Client) {
  for await (const { name, writtenMs } of listObjects(client, PREFIX)) {
    const key = name.slice(PREFIX.length)
    if (isBlobKey(key)) yield { key, writtenMs }
  }
}

/** All objects whose names begin with the prefix. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<ListedObject> {
  for (let after: string | null = ''; after !== null; ) {
    const xml = await client.send(listRequest(prefix, LISTED, after), readList)
    const { objects, isWhole } = listedObjects(xml)
    yield* objects.filter(({ name }) => name.startsWith(prefix))
    after = isWhole ? null : (objects.at(-1)?.name ?? null)
  }
}

/** Lists one object, which proves that the bucket and the key are right. */
export async function probeBucket(client: S3Client): Promise<void> {
  await client.sendOnce(listRequest(PREFIX, 1), readList)
}

/** Something else than an object store, such as a proxy with its own page, answers 200, too. */
async function readList(headers: Headers, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const xml = await readText(headers, chunks)
  if (!xml.includes('<ListBucketResult')) throw new WrongAnswer('The answer is no list of objects')
  return xml
}

/** The first version of the request: the second adds tokens, which not every store has. */
function listRequest(prefix: string, max: number, after = '') {
  const query = { prefix, 'max-keys': String(max), ...(after && { marker: after }) }
  return { method: 'GET', query, answerBytes: max * ABOUT_LISTED_BYTES } as const
}

const PIECE_BYTES = 256 * 1024

export function bodyOf(bytes: Uint8Array, hash: string): S3Body {
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES)
    }
  }
  return { sizeBytes: bytes.byteLength, hash, chunks }
}

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
  const start = { method: 'POST', object, query: { uploads: '' } } as const
  const uploadId = uploadIdIn(await client.send(start, readText))
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
    await client.sendOnce(abort, readText).catch(() => {})
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
      await client.send({ method: 'HEAD', object }, readText)
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

/** Object stores name what they have stored; something else that answers 200 does not. */
export async function readEtag(headers: Headers, chunks: AsyncIterable<Uint8Array>) {
  await readText(headers, chunks)
  const etag = headers.get('etag')
  if (etag === null) throw new WrongAnswer('The object store named no ETag')
  return etag
}
