import { afterAll, beforeAll, describe, expect, it, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { type S3Server, startS3 } from '../../testing/s3-server.ts'
import { writeZip } from '../zip.ts'
import { backupBucket } from './bucket.ts'
import { backupFolder } from './folder.ts'
import { type BackupStore, backupName, isComplete } from './index.ts'
import { parseBackupAddress } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-backups-'))
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

const newFolder = () => mkdtempSync(join(folder, 'x-'))
const PLACES: Record<string, () => Promise<BackupStore>> = {
  'a folder': async () => backupFolder(newFolder()),
  'a bucket': async () => backupBucket(await s3.newBucket(), 'a/b/'),
}
const [FIRST, SECOND] = [backupName(0), backupName(86_400_000)]

const zip = () => writeZip(async (writer) => writer.add('entry', Buffer.from('words')))
async function* piece(bytes: Uint8Array) {
  yield bytes
}

for (const [place, open] of Object.entries(PLACES)) {
  describe(`${place} of backups`, () => {
    it('lists them by time, with their sizes, and says which are cut off', async () => {
      const store = await open()
      const whole = Buffer.concat(await Array.fromAsync(zip()))
      await store.put(SECOND, piece(whole))
      await store.put(FIRST, piece(whole.subarray(0, -5)))
      await store.put('notes.zip', piece(whole))
      const listed = await store.list()
      expect(listed).toEqual([
        { name: FIRST, sizeBytes: whole.byteLength - 5 },
        { name: SECOND, sizeBytes: whole.byteLength },
      ])
      const complete = listed.map((backup) => isComplete(store, backup))
      expect(await Promise.all(complete)).toEqual([false, true])
    })

    it('reads any part of a file, and says where there is none', async () => {
      const store = await open()
      const bytes = Buffer.alloc(100_000, 'abcdefg')
      await store.put(FIRST, piece(bytes))
      expect(await store.sizeOf(FIRST)).toBe(100_000)
      expect(await store.sizeOf(SECOND)).toBeNull()
      for (const [start, end] of [
        [0, 10],
        [3, 70_000],
        [99_999, 100_000],
      ] as const) {
        const read = await store.read(FIRST, { start, end })
        expect(Buffer.compare(read, bytes.subarray(start, end))).toBe(0)
      }
      const beyond = store.read(FIRST, { start: 0, end: 100_001 })
      expect(await beyond.catch((err: Error) => err)).toBeInstanceOf(Error)
      const missing = store.read(SECOND, { start: 0, end: 1 })
      expect(await missing.catch((err: Error) => err)).toBeInstanceOf(Error)
    }, 30_000)
  })
}

it('a part of a backup in a bucket that breaks off is read again', async () => {
  const proxy = await startFaultProxy(s3.port)
  const bucket = await s3.newBucket()
  const store = backupBucket({ ...bucket, endpoint: proxy.endpoint }, '')
  const bytes = Buffer.alloc(100_000, 'abcdefg')
  await store.put(FIRST, piece(bytes))
  for (const fault of ['reset', 'busy', 'truncated'] as const) {
    proxy.next(fault)
    const read = await store.read(FIRST, { start: 10, end: 90_000 })
    expect(Buffer.compare(read, bytes.subarray(10, 90_000))).toBe(0)
  }
  await proxy.close()
}, 30_000)

const KNOWN = {
  ...{ bucket: 'other', endpoint: 'https://s3.example.com', region: 'eu-1' },
  ...{ accessKeyId: 'ID', secretAccessKey: 'a/b%c' },
}
const PLAIN = { ...KNOWN, endpoint: 'http://127.0.0.1:9000', accessKeyId: 'K', region: 'r' }
const ADDRESSES: [address: string, expected: object | null][] = [
  [
    's3://K:a%2Fb%25c@s3.example.com/bucket/a/b/x.zip?region=r',
    {
      s3: { ...KNOWN, bucket: 'bucket', region: 'r', accessKeyId: 'K' },
      ...{ prefix: 'a/b/', name: 'x.zip' },
    },
  ],
  [
    's3+http://K:a%2Fb%25c@127.0.0.1:9000/bucket/x.zip?region=r',
    { s3: { ...PLAIN, bucket: 'bucket' }, prefix: '', name: 'x.zip' },
  ],
  [
    's3://s3.example.com/bucket/x.zip',
    { s3: { ...KNOWN, bucket: 'bucket' }, prefix: '', name: 'x.zip' },
  ],
  // Another host gets no key of ours, and neither does one without TLS.
  ['s3://elsewhere.example.com/bucket/x.zip?region=r', null],
  ['s3+http://s3.example.com/bucket/x.zip', null],
  ['s3://s3.example.com/bucket/', null],
  ['s3://s3.example.com/bucket', null],
  ['s3://s3.example.com/x.zip', null],
  ['s3://s3.example.com/bucket/../x.zip/..', null],
  ['https://s3.example.com/bucket/x.zip', null],
  ['/var/backups/x.zip', null],
  ['s3:', null],
]
test.each(ADDRESSES)('the address %s of a backup', (address, expected) => {
  expect(parseBackupAddress(address, [KNOWN])).toEqual(expected as never)
})
