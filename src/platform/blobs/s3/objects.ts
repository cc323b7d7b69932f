import { open } from 'node:fs/promises'
import { writeAll } from '../../durable-files.ts'
import { newSha256, sha256 } from '../../secrets.ts'
import {
  assertBlobKey,
  BlobDamaged,
  BlobsUnavailable,
  isBlobKey,
  type StoredBlob,
} from '../index.ts'
import { bodyOf } from './bodies.ts'
import { Broken, readNothing, readText, type S3Client, WrongAnswer } from './client.ts'
import { deleteRequest, errorCodes, type ListedObject, listedObjects } from './xml.ts'

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
    const bytes = new Uint8Array(blob.sizeBytes)
    let at = 0
    for await (const chunk of checked(blob, chunks)) {
      bytes.set(chunk, at)
      at += chunk.byteLength
    }
    return bytes
  })
}

/** The same into a file. */
export function copyObject(client: S3Client, blob: StoredBlob, path: string): Promise<void> {
  return client.send(getRequest(blob), async (headers, chunks) => {
    assertLength(headers, blob)
    const file = await open(path, 'w', 0o600)
    try {
      for await (const chunk of checked(blob, chunks)) await writeAll(file, chunk)
    } finally {
      await file.close()
    }
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
  if (names.length === 1) return deleteObject(client, names[0]!)
  for (let at = 0; at < names.length; at += DELETED) {
    await deleteBatch(client, names.slice(at, at + DELETED))
  }
}

async function deleteObject(client: S3Client, object: string): Promise<void> {
  try {
    await client.send({ method: 'DELETE', object }, readNothing)
  } catch (err) {
    // Some stores answer 404 where there is no such object, others 204.
    if (!(err instanceof BlobDamaged)) throw err
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
    const xml = await client.send(listRequest(prefix, LISTED, after), readText)
    const { objects, isWhole } = listedObjects(xml)
    yield* objects.filter(({ name }) => name.startsWith(prefix))
    after = isWhole ? null : (objects.at(-1)?.name ?? null)
  }
}

/** Lists one object, which proves that the bucket and the key are right. */
export function probeBucket(client: S3Client): Promise<void> {
  return client.sendOnce(listRequest(PREFIX, 1), readNothing)
}

/** The first version of the request: the second adds tokens, which not every store has. */
function listRequest(prefix: string, max: number, after = '') {
  const query = { prefix, 'max-keys': String(max), ...(after && { marker: after }) }
  return { method: 'GET', query, answerBytes: max * ABOUT_LISTED_BYTES } as const
}
