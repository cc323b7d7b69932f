import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, type FaultProxy, startFaultProxy } from '../../../testing/fault-proxy.ts'
import { type S3Server, startS3 } from '../../../testing/s3-server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { sha256 } from '../../ids.ts'
import { createTemporaryFiles } from '../../temporary-files.ts'
import {
  BlobDamaged,
  BlobsDown,
  BlobsUnavailable,
  newBlobKey,
  type StoredBlob,
  WrongBytes,
} from '../index.ts'
import type { S3Limits } from './client.ts'
import { type S3Blobs, s3Blobs, wrongSetting } from './index.ts'

const LIMITS = { stallMs: 2500, backoffMs: 1, bytesPerSecond: 1024 * 1024, quietMs: 0 }
const LONG = { ...LIMITS, quietMs: 60_000 }
const SMALL = 100_000
/** Over what passes through memory. */
const LARGE = 1_200_000

let server: S3Server
let proxy: FaultProxy
beforeAll(async () => {
  server = await startS3()
  proxy = await startFaultProxy(server.port)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

let folder: string
let blobs: S3Blobs
let log: ReturnType<typeof silentLog>
const settings = () => ({ ...bucket, endpoint: proxy.endpoint })
let bucket: Awaited<ReturnType<S3Server['newBucket']>>
function open(options: { cacheBytes?: number; limits?: S3Limits } = {}): S3Blobs {
  return s3Blobs({
    settings: settings(),
    temporaryFiles: createTemporaryFiles(join(folder, 'tmp')),
    cacheFolder: join(folder, 'cache'),
    log,
    limits: LIMITS,
    ...options,
  })
}
beforeEach(async () => {
  proxy.always(null)
  proxy.requests.length = 0
  folder = mkdtempSync(join(tmpdir(), 'handbill-s3-'))
  bucket = await server.newBucket()
  log = silentLog()
  blobs = open()
})
afterEach(async () => {
  blobs.close()
  rmSync(folder, { recursive: true })
})

function bytesOf(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) & 255)
}
async function* piecesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}
async function put(bytes: Uint8Array, isStream = false): Promise<StoredBlob> {
  const blob = { key: newBlobKey(), hash: sha256(bytes), sizeBytes: bytes.byteLength }
  await blobs.put(blob.key, isStream ? piecesOf(bytes) : bytes, () => blob.hash)
  return blob
}
const read = async (blob: StoredBlob, start = 0, end = blob.sizeBytes) =>
  (await blobs.open(blob, { start, end })).bytes()
const keys = async () => (await Array.fromAsync(blobs.list())).map(({ key }) => key)
const methods = () => proxy.requests.map(({ method }) => method)
const errors = () => log.lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)

/** What a second attempt makes good. */
const PASSING: Fault[] = ['reset', 'hang', 'busy', 'bad-gateway', 'truncated', 'stalled']

describe('an object store that fails once', () => {
  test.each(PASSING)('%s: what is read is right', async (fault) => {
    for (const size of [SMALL, LARGE]) {
      const bytes = bytesOf(size)
      const blob = await put(bytes)
      proxy.next(fault)
      expect(Buffer.compare(await read(blob), bytes)).toBe(0)
    }
    expect(errors()).toEqual([])
  })

  test.each([...PASSING, 'lost-answer'] as Fault[])('%s: what is put is there', async (fault) => {
    for (const isStream of [false, true]) {
      const bytes = bytesOf(LARGE)
      proxy.next(fault)
      const blob = await put(bytes, isStream)
      expect(Buffer.compare(await read(blob), bytes)).toBe(0)
    }
  })

  test('one wrong byte is never passed on, and the next answer is', async () => {
    for (const size of [SMALL, LARGE]) {
      const bytes = bytesOf(size)
      const blob = await put(bytes)
      proxy.next('wrong-byte')
      expect(Buffer.compare(await read(blob), bytes)).toBe(0)
    }
  })
})

describe('an object store that fails', () => {
  const LASTING: Fault[] = [...PASSING, 'denied']

  test.each(LASTING)('%s: what it has is unavailable, and available again after', async (fault) => {
    const blobsBefore = [await put(bytesOf(SMALL)), await put(bytesOf(LARGE))]
    proxy.always(fault)
    for (const blob of blobsBefore) {
      expect(await read(blob).catch((err) => err)).toBeInstanceOf(BlobsUnavailable)
    }
    expect(errors()).toEqual(['the object store fails'])
    expect(await read(blobsBefore[0]!).catch((err) => err)).toBeInstanceOf(BlobsDown)
    proxy.always(null)
    for (const blob of blobsBefore) expect((await read(blob)).length).toBe(blob.sizeBytes)
    expect(log.lines.at(-1)?.msg).toBe('the object store answers again')
    expect(JSON.stringify(log.lines)).not.toContain(bucket.secretAccessKey)
  })

  test.each(['reset', 'busy', 'hang', 'lost-answer', 'denied'] as Fault[])(
    '%s: a put fails, and nothing of it stays',
    async (fault) => {
      // The deletion of what the store may have got goes through.
      proxy.next(fault, fault, fault)
      const isStream = fault !== 'busy'
      const outcome = await put(bytesOf(LARGE), isStream).catch((err) => err)
      expect(outcome).toBeInstanceOf(BlobsUnavailable)
      proxy.always(null)
      expect(await keys()).toEqual([])
      expect(readdirSync(join(folder, 'tmp'))).toEqual([])
    },
  )

  test('each cause of one outage is in the log, once', async () => {
    const blob = await put(bytesOf(SMALL))
    for (const fault of ['reset', 'denied', 'reset', 'denied', 'hang'] as Fault[]) {
      proxy.always(fault)
      await read(blob).catch(() => {})
    }
    expect(log.lines.map(({ fields }) => (fields as { err: Error }).err.message)).toEqual([
      'The object store did not answer',
      'The object store answered 403 AccessDenied',
    ])
  })

  test('what answers with a web page is no object store', async () => {
    const blob = await put(bytesOf(SMALL))
    proxy.always('web-page')
    for (const isStream of [false, true]) {
      expect(await put(bytesOf(LARGE), isStream).catch((err) => err)).toBeInstanceOf(WrongBytes)
    }
    expect(await read(blob).catch((err) => err)).toBeInstanceOf(Error)
    expect(await keys().catch((err) => err)).toBeInstanceOf(WrongBytes)
    expect(await blobs.isAvailable()).toBe(false)
  })

  test('wrong bytes again and again are unavailable, with a line in the log', async () => {
    for (const size of [SMALL, LARGE]) {
      const blob = await put(bytesOf(size))
      proxy.always('wrong-byte')
      expect(await read(blob).catch((err) => err)).toBeInstanceOf(WrongBytes)
      expect(await read(blob, 10, 20).catch((err) => err)).toBeInstanceOf(BlobsUnavailable)
      proxy.always(null)
    }
    expect(new Set(errors())).toEqual(new Set(['the object store sends wrong bytes']))
    const [cache = ''] = readdirSync(join(folder, 'cache')).filter((name) => !name.includes('.'))
    expect(readdirSync(join(folder, 'cache', cache))).toEqual([])
  })

  test('while it hangs, one request at a time waits for it, and the others fail at once', async () => {
    const blob = await put(bytesOf(SMALL))
    proxy.always('hang')
    await read(blob).catch(() => {})
    proxy.requests.length = 0
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => read(blob).catch(String)))
    expect(new Set(outcomes.map((each) => String(each).split(':')[0]))).toEqual(
      new Set(['BlobsUnavailable']),
    )
    expect(proxy.requests).toHaveLength(1)
    expect(await blobs.isAvailable()).toBe(false)
  })

  test('a put is refused before it is read while the store is known to be down', async () => {
    blobs = open({ limits: LONG })
    proxy.always('reset')
    await put(bytesOf(SMALL)).catch(() => {})
    let wasRead = false
    async function* content() {
      wasRead = true
      yield bytesOf(10)
    }
    const putting = blobs.put(newBlobKey(), content(), () => '')
    await expect(putting).rejects.toBeInstanceOf(BlobsDown)
    expect(wasRead).toBe(false)
  })

  test('an object that is lost or cut is damaged, and not tried again', async () => {
    const blob = await put(bytesOf(SMALL))
    proxy.requests.length = 0
    const longer = { ...blob, sizeBytes: SMALL + 1 }
    for (const each of [longer, { ...blob, key: newBlobKey() }]) {
      expect(await read(each).catch((err) => err)).toBeInstanceOf(BlobDamaged)
      expect(await read(each, 5, 5).catch((err) => err)).toBeInstanceOf(BlobDamaged)
    }
    expect(methods()).toEqual(['GET', 'HEAD', 'GET', 'HEAD'])
    expect(errors()).toEqual([])
  })
})

describe('requests to the object store', () => {
  test('are signed with the hash of their body, and never presigned', async () => {
    const blob = await put(bytesOf(LARGE), true)
    await put(bytesOf(SMALL))
    await read(blob)
    await blobs.delete([...(await keys()), newBlobKey()])
    for (const { hasSignedHash, signedHeaders } of proxy.requests) {
      expect(hasSignedHash).toBe(true)
      // Proxies may change others.
      expect(signedHeaders).toMatch(/^(content-md5;)?host;x-amz-content-sha256;x-amz-date$/)
    }
    expect(proxy.requests.map(({ url }) => url).join(' ')).not.toMatch(/x-amz/i)
    expect(methods()).toEqual(['PUT', 'PUT', 'GET', 'GET', 'POST'])
  })

  test('are at most sixteen at a time', async () => {
    const stored = await Promise.all(Array.from({ length: 40 }, () => put(bytesOf(SMALL))))
    blobs = open({ limits: LONG })
    proxy.always('hang')
    proxy.requests.length = 0
    await Promise.all(stored.map((blob) => read(blob).catch(() => {})))
    // Sixteen found out, three times each; the others did not ask.
    expect(proxy.requests).toHaveLength(48)
  })

  test('fetch a large object once for all who wait, and not again for its parts', async () => {
    const bytes = bytesOf(LARGE)
    const blob = await put(bytes)
    proxy.requests.length = 0
    const starts = Array.from({ length: 20 }, (_, at) => at * 50_000)
    const parts = await Promise.all(starts.map((start) => read(blob, start, start + 1000)))
    for (const [at, part] of parts.entries()) {
      const start = starts[at]!
      expect(Buffer.compare(part, bytes.subarray(start, start + 1000))).toBe(0)
    }
    await read(blob, 10, 10)
    expect(methods()).toEqual(['GET'])
  })

  test('touch nothing in the bucket that is not ours', async () => {
    const client = new Bun.S3Client({ ...settings(), endpoint: server.endpoint })
    const names = [
      'notes.txt',
      `other/${newBlobKey()}`,
      'blobs/notes.txt',
      `blobs/x/${newBlobKey()}`,
    ]
    for (const name of names) await client.write(name, 'theirs')
    const { key } = await put(bytesOf(10))
    expect(await keys()).toEqual([key])
    await blobs.delete(await keys())
    expect(await blobs.deleteUnfinished(Date.now() + 60_000)).toBe(0)
    for (const name of names) expect(await client.file(name).text()).toBe('theirs')
  })

  test('of a visitor who leaves end for that visitor alone', async () => {
    const blob = await put(bytesOf(LARGE))
    const leaving = new AbortController()
    const range = { start: 0, end: LARGE }
    const [left, stayed] = [blobs.open(blob, range, leaving.signal), blobs.open(blob, range)]
    leaving.abort(new Error('The visitor left'))
    await expect(left).rejects.toThrow('The visitor left')
    expect((await stayed).size).toBe(LARGE)
  })
})

describe('copies on the disk', () => {
  const copies = () =>
    readdirSync(join(folder, 'cache'))
      .filter((name) => !name.includes('.'))
      .flatMap((name) => readdirSync(join(folder, 'cache', name)))

  test('are bounded, and what does not fit is served', async () => {
    blobs = open({ cacheBytes: LARGE * 2 })
    const stored = [await put(bytesOf(LARGE)), await put(bytesOf(LARGE)), await put(bytesOf(LARGE))]
    const larger = await put(bytesOf(LARGE * 3))
    for (const blob of [...stored, larger, ...stored]) {
      expect((await read(blob)).length).toBe(blob.sizeBytes)
    }
    proxy.requests.length = 0
    await read(stored[2]!)
    expect(methods()).toEqual([])
    await read(stored[0]!)
    await read(larger)
    expect(methods()).toEqual(['GET', 'GET'])
  })

  test('end with the process; those of one that was killed, with the next', async () => {
    await read(await put(bytesOf(LARGE)))
    expect(copies()).toHaveLength(1)
    blobs.close()
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
    const program = `
      const { createFileCache } = await import(${JSON.stringify(join(import.meta.dir, 'file-cache.ts'))})
      await createFileCache(${JSON.stringify(join(folder, 'cache'))}).file('key', 5, (path) => Bun.write(path, 'bytes'))
      process.kill(process.pid, 'SIGKILL')`
    await Bun.spawn([process.execPath, '-e', program]).exited
    expect(copies()).toHaveLength(1)
    blobs = open()
    await read(await put(bytesOf(LARGE)))
    expect(copies()).toHaveLength(1)
    expect(existsSync(join(folder, 'cache'))).toBe(true)
  })

  test('of two processes do not disturb each other', async () => {
    const blob = await put(bytesOf(LARGE))
    await read(blob)
    const other = open()
    await (await other.open(blob, { start: 0, end: 10 })).bytes()
    expect(copies()).toHaveLength(2)
    other.close()
    proxy.requests.length = 0
    expect((await read(blob)).length).toBe(LARGE)
    expect(methods()).toEqual([])
  })
})

describe('a wrong setting', () => {
  const reasonOf = async (changed: object) => {
    const wrong = { ...settings(), ...changed }
    const tried = s3Blobs({
      settings: wrong,
      temporaryFiles: createTemporaryFiles(join(folder, 'tmp')),
      cacheFolder: join(folder, 'cache'),
      log,
      limits: LIMITS,
    })
    const err = await tried.probe().catch((err: unknown) => err)
    return wrongSetting(err, wrong)
  }

  test('is said in one line that names host and bucket, and not the secret', async () => {
    const { host } = new URL(proxy.endpoint)
    expect(await reasonOf({ bucket: 'nowhere' })).toBe(
      `${host} has no bucket nowhere: make it, or correct S3_BUCKET or S3_ENDPOINT.`,
    )
    for (const changed of [{ secretAccessKey: 'hunter2' }, { accessKeyId: 'hunter2' }]) {
      const reason = await reasonOf(changed)
      expect(reason).toStartWith(`${host} refuses the key for the bucket ${bucket.bucket} (`)
      expect(reason).not.toMatch(/hunter2|\n/)
    }
  })

  test('is a clock where the store says so, and not the key', async () => {
    proxy.always('skewed')
    const { host } = new URL(proxy.endpoint)
    expect(await reasonOf({})).toBe(
      `${host} has another time than this machine (RequestTimeTooSkewed): set the clock here, or ` +
        'there.',
    )
  })

  test('is not what a store that fails for now says', async () => {
    for (const fault of ['busy', 'bad-gateway', 'reset', 'hang'] as Fault[]) {
      proxy.always(fault)
      expect(await reasonOf({})).toBeNull()
    }
  })
})
