import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { inTime, succeedsInTime, unlessAborted } from '../../promises.ts'
import { appendAll, piecesOf, type TemporaryFiles } from '../../temporary-files.ts'
import {
  assertBlobKey,
  assertByteRange,
  BlobDamaged,
  type Blobs,
  BlobsUnavailable,
  type StoredBlob,
} from '../index.ts'
import {
  createS3Client,
  readText,
  type S3Body,
  S3Failure,
  type S3Limits,
  type S3Settings,
} from './client.ts'
import { createFileCache } from './file-cache.ts'
import * as objects from './objects.ts'
import { bodyOf } from './objects.ts'

/** Up to this size an object passes through memory; a larger one, through a file. */
const IN_MEMORY_BYTES = 1024 * 1024
/** Shorter than the time after which the server closes an idle connection. */
const MAX_WAIT_MS = 20_000
/** How old the answer to `isAvailable` may be, and how long it may take. */
const KNOWN_FOR_MS = 5000
const SLOW_MS = 2000

interface S3Deps {
  settings: S3Settings
  temporaryFiles: TemporaryFiles
  /** For copies of large objects. */
  cacheFolder: string
  log: Log
  /** None in most tests. */
  metrics?: Metrics
  /** For tests. */
  limits?: S3Limits
  /** For tests. */
  cacheBytes?: number
}

export interface S3Blobs extends Blobs {
  /** Lists a part of the bucket, once. @throws S3Failure, Broken */
  probe(): Promise<void>
  /** Deletes the copies of large objects. */
  close(): void
}

/**
 * Keeps blobs in a bucket of an object store that speaks S3. An object is sent whole, in one
 * request with the hash of its bytes, once all of them are here: so a broken upload leaves nothing
 * there. Objects pass through this process; no address of the store, and nothing that is signed,
 * leaves it.
 */
export function s3Blobs(deps: S3Deps): S3Blobs {
  const client = createS3Client(deps.settings, deps)
  const cache = createFileCache(deps.cacheFolder, deps.cacheBytes)

  async function put(key: string, body: S3Body): Promise<void> {
    const object = objects.nameOf(key)
    try {
      await client.send({ method: 'PUT', object, body }, objects.readEtag)
    } catch (err) {
      // The store may have it all the same, where its answer was lost.
      await client.sendOnce({ method: 'DELETE', object }, readText).catch(() => {})
      throw err
    }
  }

  async function openObject(blob: StoredBlob): Promise<Blob> {
    if (blob.sizeBytes <= IN_MEMORY_BYTES) return new Blob([await objects.readObject(client, blob)])
    const path = await cache.file(blob.key, blob.sizeBytes, (path) =>
      objects.copyObject(client, blob, path),
    )
    return Bun.file(path)
  }

  const probe = () => objects.probeBucket(client)

  return {
    async open(blob, range, signal) {
      assertBlobKey(blob.key)
      assertByteRange(range)
      signal?.throwIfAborted()
      if (range.end > blob.sizeBytes) {
        throw new BlobDamaged(`Blob ${blob.key} has ${blob.sizeBytes} bytes, not ${range.end}`)
      }
      if (range.start === range.end) {
        if (!cache.has(blob.key)) await forVisitor(objects.checkObject(client, blob), signal)
        return new Blob([])
      }
      const object = await forVisitor(openObject(blob), signal)
      return object.slice(range.start, range.end)
    },
    async put(key, content, hash) {
      assertBlobKey(key)
      client.assertAvailable()
      if (content instanceof Uint8Array) return put(key, bodyOf(content, hash()))
      const file = await deps.temporaryFiles.create()
      try {
        const sizeBytes = await appendAll(file, content)
        const whole = { start: 0, end: sizeBytes }
        await put(key, { sizeBytes, hash: hash(), chunks: () => piecesOf(file, whole) })
      } finally {
        await file.close()
      }
    },
    async has(key) {
      const request = { method: 'HEAD', object: objects.nameOf(key) } as const
      return client
        .send(request, async () => true)
        .catch((err) => {
          if (err instanceof BlobDamaged) return false
          throw err
        })
    },
    async delete(keys) {
      cache.delete(keys)
      await objects.deleteObjects(client, keys)
    },
    list: () => objects.listBlobs(client),
    // An object is there whole or not at all.
    deleteUnfinished: async () => 0,
    isAvailable: remembered(() => succeedsInTime(probe(), SLOW_MS)),
    probe,
    close: cache.close,
  }
}

/**
 * Waits only as long as a visitor's connection may. The work continues after that, for the next
 * request.
 */
function forVisitor<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const result = inTime(work, MAX_WAIT_MS, () => {
    throw new BlobsUnavailable('The object store is too slow')
  })
  return signal === undefined ? result : unlessAborted(result, signal)
}

/** Caches the answer for some seconds, and shares a request in progress. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null
  return () => {
    if (answer === null) {
      answer = ask()
      answer.finally(() => setTimeout(() => (answer = null), KNOWN_FOR_MS).unref())
    }
    return answer
  }
}

/** Codes that say that the bucket is somewhere else. */
const ELSEWHERE = [
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]

/**
 * What to change if the store refuses a request permanently: one line, without the key. Null for a
 * temporary error.
 */
export function wrongSetting(err: unknown, { endpoint, bucket }: S3Settings): string | null {
  if (!(err instanceof S3Failure)) return null
  const { status, code } = err
  if (status >= 500 || status === 408 || status === 429) return null
  const { host } = new URL(endpoint)
  const why = code ?? String(status)
  if (code === 'NoSuchBucket' || (code === null && status === 404)) {
    return `${host} has no bucket ${bucket}: make it, or correct S3_BUCKET or S3_ENDPOINT.`
  }
  if (ELSEWHERE.includes(code ?? '') || (status >= 300 && status < 400)) {
    return (
      `${host} has the bucket ${bucket} in another region (${why}): correct S3_REGION or ` +
      'S3_ENDPOINT.'
    )
  }
  if (code === 'RequestTimeTooSkewed') {
    return `${host} has another time than this machine (${why}): set the clock here, or there.`
  }
  if (status === 401 || status === 403) {
    return (
      `${host} refuses the key for the bucket ${bucket} (${why}): correct S3_ACCESS_KEY_ID and ` +
      'S3_SECRET_ACCESS_KEY, and let the key list, read, write and delete.'
    )
  }
  return `${host} refuses to list the bucket ${bucket} (${why}): check S3_ENDPOINT and S3_BUCKET.`
}
