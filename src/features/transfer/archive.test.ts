import { describe, expect, it } from 'bun:test'
import { crc32, deflateRawSync } from 'node:zlib'
import type { Account } from '../../model/account.ts'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import { createClock } from '../../platform/clock.ts'
import { createContentSpace } from '../../platform/content-space.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { threads } from '../../testing/threads.ts'
import { openArchive } from './archive.ts'
import { createImport, type PageToImport } from './import.ts'

const MB = 1024 * 1024
const HASH = 'a'.repeat(64)
const ABOUT = Buffer.from('{"format":"handbill-archive-1"}\n')

const TIME = '2026-01-01T00:00:00.000000Z'
const PAGE = {
  ...{ id: 'pg_x', slug: 'a-page', title: null, settings: {}, password: null, source: 'api' },
  ...{ created_at: TIME, updated_at: TIME, published_at: null, views: 0, max_views: null },
  ...{ draft: HASH, published: null, manifests: {} },
  versions: [
    {
      ...{ version_no: 1, source: 'edit', label: null, manifest_id: HASH },
      ...{ size_bytes: 1, created_at: TIME },
    },
  ],
}

interface Entry {
  name: string | Buffer
  content?: Uint8Array
  deflate?: boolean
  crc?: number
  /** What its directory says of it. */
  declared?: { packed?: number; unpacked?: number; offset?: number }
}

/** A zip in 64-bit form where needed, with the given claims in its directory. */
function zipOf(entries: readonly Entry[], count = entries.length): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = Buffer.alloc(0), deflate = false, crc, declared = {} } of entries) {
    const bytes = deflate ? deflateRawSync(content) : Buffer.from(content)
    const fields = { crc: crc ?? crc32(content), packed: bytes.length, unpacked: content.length }
    const path = Buffer.from(name as string)
    const local = Buffer.concat([header(fields, { path, deflate }), path, bytes])
    bodies.push(local)
    directory.push(central({ ...fields, offset, ...declared }, { path, deflate }))
    offset += local.length
  }
  return Buffer.concat([...bodies, ...directory, end(Buffer.concat(directory), { offset, count })])
}

interface Fields {
  crc: number
  packed: number
  unpacked: number
}
interface Named {
  path: Buffer
  deflate: boolean
}

function header({ crc, packed, unpacked }: Fields, { path, deflate }: Named): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('PK\x03\x04', 'latin1')
  bytes.writeUInt16LE(45, 4)
  bytes.writeUInt16LE(0x800, 6)
  bytes.writeUInt16LE(deflate ? 8 : 0, 8)
  bytes.writeUInt32LE(crc, 14)
  bytes.writeUInt32LE(Math.min(packed, 0xffffffff), 18)
  bytes.writeUInt32LE(Math.min(unpacked, 0xffffffff), 22)
  bytes.writeUInt16LE(path.length, 26)
  return bytes
}

function central(fields: Fields & { offset: number }, { path, deflate }: Named): Buffer {
  const bytes = Buffer.alloc(46)
  const wide = Buffer.alloc(28)
  bytes.write('PK\x01\x02', 'latin1')
  bytes.writeUInt16LE(45, 6)
  bytes.writeUInt16LE(0x800, 8)
  bytes.writeUInt16LE(deflate ? 8 : 0, 10)
  bytes.writeUInt32LE(fields.crc, 16)
  bytes.fill(0xff, 20, 28)
  bytes.writeUInt16LE(path.length, 28)
  bytes.writeUInt16LE(wide.length, 30)
  bytes.fill(0xff, 42, 46)
  wide.writeUInt16LE(1, 0)
  wide.writeUInt16LE(24, 2)
  wide.writeBigUInt64LE(BigInt(fields.unpacked), 4)
  wide.writeBigUInt64LE(BigInt(fields.packed), 12)
  wide.writeBigUInt64LE(BigInt(fields.offset), 20)
  return Buffer.concat([bytes, path, wide])
}

function end(directory: Buffer, { offset, count }: { offset: number; count: number }): Buffer {
  const wide = Buffer.alloc(56)
  wide.write('PK\x06\x06', 'latin1')
  wide.writeBigUInt64LE(44n, 4)
  wide.writeBigUInt64LE(BigInt(count), 24)
  wide.writeBigUInt64LE(BigInt(count), 32)
  wide.writeBigUInt64LE(BigInt(directory.length), 40)
  wide.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + directory.length), 8)
  locator.writeUInt32LE(1, 16)
  const last = Buffer.alloc(22, 0xff)
  last.write('PK\x05\x06\0\0\0\0', 'latin1')
  last.writeUInt16LE(0, 20)
  return Buffer.concat([wide, locator, last])
}

/** A file with these pieces at their positions, and zeros between them. */
function sparse(pieces: readonly { at: number; bytes: Buffer }[]): TemporaryFile {
  async function readAt(target: Uint8Array, position: number): Promise<void> {
    target.fill(0)
    for (const { at, bytes } of pieces) {
      const from = Math.max(at, position)
      const to = Math.min(at + bytes.length, position + target.length)
      if (from < to) target.set(bytes.subarray(from - at, to - at), from - position)
    }
  }
  return { readAt } as unknown as TemporaryFile
}

const open = (zip: Buffer) => openArchive(sparse([{ at: 0, bytes: zip }]), zip.length)
const about: Entry = { name: 'handbill.json', content: ABOUT }
const page = (name: string, entry: Partial<Entry> = {}): Entry => ({
  name: `pages/00001-a/${name}`,
  ...entry,
})

async function codeOf(zip: Buffer): Promise<string> {
  const archive = await open(zip).catch((err: { code?: string }) => err.code)
  return typeof archive === 'object' ? 'opened' : String(archive)
}

/** An archive of so many bytes with one file that no page has, which is almost all of it. */
function mostlyZeros(size: number, pageJson: Buffer): Buffer[] {
  const path = Buffer.from(`files/${HASH}`)
  const fields = { crc: 0, packed: size, unpacked: size }
  const first = Buffer.concat([header(fields, { path, deflate: false }), path])
  const directory = [central({ ...fields, offset: 0 }, { path, deflate: false })]
  const rest: Buffer[] = []
  let offset = first.length + size
  for (const [name, content] of [
    ['handbill.json', ABOUT],
    ['pages/00001-a/page.json', pageJson],
  ] as const) {
    const named = { path: Buffer.from(name), deflate: false }
    const its = { crc: crc32(content), packed: content.length, unpacked: content.length }
    directory.push(central({ ...its, offset }, named))
    rest.push(header(its, named), named.path, content)
    offset += 30 + named.path.length + content.length
  }
  const all = Buffer.concat(directory)
  return [first, Buffer.concat([...rest, all, end(all, { offset, count: directory.length })])]
}

describe('an import', () => {
  it('takes an archive of 2.5 GB, piece by piece', async () => {
    const size = 2500 * MB
    const page = { ...PAGE, slug: 'after-the-hole' }
    const [first, last] = mostlyZeros(size, Buffer.from(JSON.stringify(page)))
    const zeros = Buffer.alloc(MB)
    async function* body() {
      yield first!
      for (let sent = 0; sent < size; sent += MB) yield zeros
      yield last!
    }
    const pieces: { at: number; bytes: Buffer }[] = []
    let at = 0
    const file = Object.assign(sparse(pieces), {
      async append(bytes: Uint8Array) {
        if (bytes !== zeros) pieces.push({ at, bytes: Buffer.from(bytes) })
        at += bytes.byteLength
      },
      async close() {},
    })
    const inputs: PageToImport[] = []
    const importAccount = createImport({
      temporaryFiles: { create: async () => file },
      threads,
      assertActive: async () => {},
      takeBrand: async () => {},
      space: createContentSpace('', () => ({ free_bytes: 4000 * MB, total_bytes: 8000 * MB })),
      clock: createClock(),
      baseUrl: 'http://two.example',
      findSame: async () => null,
      async importPage(_account, page) {
        inputs.push(page)
        return { id: 'pg_1', slug: page.page.slug }
      },
    })
    const account = { id: 'acc_1', limits: DEFAULT_PLANS.pro.limits } as Account
    const imported = await importAccount(account, body())
    expect(imported).toMatchObject([{ status: 'imported', slug: 'after-the-hole' }])
    expect([inputs.length, at > size]).toEqual([1, true])
  })
})

describe('an archive', () => {
  it('of more than 4 GB is read, and no more of it than is asked for', async () => {
    const path = Buffer.from(`files/${HASH}`)
    const huge = 5 * 1024 ** 3
    const fields = { crc: 0, packed: huge, unpacked: huge }
    const first = Buffer.concat([header(fields, { path, deflate: false }), path])
    const second = { crc: crc32(ABOUT), packed: ABOUT.length, unpacked: ABOUT.length }
    const named = { path: Buffer.from('handbill.json'), deflate: false }
    const offset = first.length + huge
    const rest = Buffer.concat([header(second, named), named.path, ABOUT])
    const directory = Buffer.concat([
      central({ ...fields, offset: 0 }, { path, deflate: false }),
      central({ ...second, offset }, named),
    ])
    const tail = Buffer.concat([
      rest,
      directory,
      end(directory, { offset: offset + rest.length, count: 2 }),
    ])
    const file = sparse([
      { at: 0, bytes: first },
      { at: offset, bytes: tail },
    ])
    const archive = await openArchive(file, offset + tail.length)
    expect(archive.sizeOf(`files/${HASH}`)).toBe(huge)
    expect((await archive.read('handbill.json', MB)).equals(ABOUT)).toBe(true)
    await expect(archive.read(`files/${HASH}`, 100 * MB)).rejects.toThrow('too large')
  })

  it('with a name that no export has is refused: paths out of it, absolute, twice, no UTF-8', async () => {
    const names = [
      '../handbill.json',
      'pages/../../etc/passwd.json',
      '/etc/passwd',
      'C:\\a.json',
      '..\\handbill.json',
      'pages/00001-a/page.json\0.json',
      'pages/00001-a/',
      `files/${HASH.toUpperCase()}`,
      Buffer.from([0x70, 0xff, 0xfe]),
    ]
    for (const name of names) {
      expect([name, await codeOf(zipOf([about, { name }]))]).toEqual([name, 'not_an_archive'])
    }
    expect(await codeOf(zipOf([about, about]))).toBe('not_an_archive')
    expect(await codeOf(zipOf([about]))).toBe('opened')
  })

  it('whose entries share bytes is refused before it is read', async () => {
    const zeros = Buffer.alloc(MB)
    const hash = (at: number) => `files/${at.toString(16).padStart(64, '0')}`
    const packed = deflateRawSync(zeros).length
    const shared = Array.from({ length: 50 }, (_, at) => ({
      ...{ name: hash(at + 1), declared: { offset: 0, packed, unpacked: MB } },
    }))
    const one = { name: hash(0), content: zeros, deflate: true }
    expect(await codeOf(zipOf([one, ...shared]))).toBe('not_an_archive')
  })

  it('of a million entries is refused by what its directory says', async () => {
    expect(await codeOf(zipOf([about], 1_000_000))).toBe('archive_too_large')
  })

  it('with an entry that unpacks to more than it says, or a thousand times its size, is bounded', async () => {
    const content = Buffer.alloc(8 * MB, '{"a":1}\n')
    const bomb = page('comments.ndjson', { content, deflate: true })
    const name = bomb.name as string
    const honest = await open(zipOf([about, bomb]))
    expect(honest.sizeOf(name)).toBe(8 * MB)
    await expect(honest.read(name, MB)).rejects.toThrow('too large')
    const liar = { ...bomb, declared: { unpacked: 100 } }
    const archive = await open(zipOf([about, liar]))
    await expect(archive.read(name, MB)).rejects.toThrow('damaged')
    const short = { ...bomb, declared: { unpacked: 9 * MB } }
    await expect((await open(zipOf([about, short]))).read(name, 64 * MB)).rejects.toThrow('damaged')
  })

  it('with a wrong checksum, bytes that do not unpack, or no UTF-8 is damaged there', async () => {
    const content = Buffer.from('{"a":1}\n{"b":2}\n')
    const name = 'pages/00001-a/votes.ndjson'
    const limits = { maxBytes: MB, maxLineChars: 100 }
    const linesOf = async (entry: Partial<Entry>) =>
      Array.fromAsync((await open(zipOf([about, { name, content, ...entry }]))).lines(name, limits))
    expect(await linesOf({})).toEqual(['{"a":1}', '{"b":2}'])
    expect(await linesOf({ content: Buffer.from('\n{"a":1}\n\nlast') })).toEqual([
      '{"a":1}',
      'last',
    ])
    await expect(linesOf({ crc: 1 })).rejects.toThrow('damaged')
    await expect(linesOf({ content: Buffer.from([0xff, 0xfe, 0x0a]) })).rejects.toThrow('damaged')
    await expect(linesOf({ content: Buffer.alloc(1000, 'x') })).rejects.toThrow('long line')
    const zip = zipOf([about, { name, content, deflate: true }])
    zip.fill(0xff, zip.indexOf(name) + name.length, zip.indexOf(name) + name.length + 5)
    await expect((await open(zip)).read(name, MB)).rejects.toThrow('damaged')
  })

  it('that is cut off anywhere is refused', async () => {
    const zip = zipOf([about, page('page.json', { content: Buffer.from('{}') })])
    for (let at = 0; at < zip.length; at += 7) {
      expect([at, await codeOf(zip.subarray(0, at))]).toEqual([at, 'not_an_archive'])
    }
  })
})
