import { describe, expect, test } from 'bun:test'
import { deflateRawSync } from 'node:zlib'
import type { Bytes } from './local-content.ts'
import { readZip } from './zip.ts'

interface Entry {
  path: string
  /** Of the name, where it is no UTF-8. */
  nameBytes?: Buffer
  content: string
  isStored?: boolean
  flags?: number
  mode?: number
  declaredBytes?: number
  crc?: number
  method?: number
}

function zipOf(...entries: Entry[]): Bytes {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = entry.nameBytes ?? Buffer.from(entry.path)
    const raw = Buffer.from(entry.content)
    const data = entry.isStored ? raw : deflateRawSync(raw)
    const crc = entry.crc ?? Bun.hash.crc32(raw)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(entry.flags ?? 0, 8)
    central.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : 8), 10)
    central.writeUInt32LE(crc, 16)
    central.writeUInt32LE(data.length, 20)
    central.writeUInt32LE(entry.declaredBytes ?? raw.length, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 38)
    central.writeUInt32LE(offset, 42)
    central.copy(header, 6, 8, 30)
    locals.push(header, name, data)
    directory.push(central, name)
    offset += header.length + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, ...directory, end]))
}

const blobOf = (...entries: Entry[]) => new Blob([zipOf(...entries)])
const PAGE = { path: 'index.html', content: '<p>hello</p>' }
const refusal = (bytes: Bytes) =>
  readZip('site.zip', new Blob([bytes])).then(String, (err: Error) => err.message)

describe('a zip', () => {
  test('becomes a deck without its outer folder, and what does not belong is skipped', async () => {
    const deck = await readZip(
      'site.zip',
      blobOf(
        { path: 'site/index.html', content: 'a'.repeat(5000) },
        { path: 'site\\style.css', content: 'an older one that this replaces' },
        { path: './site//style.css', content: 'b{}', isStored: true },
        { path: 'site/', content: '' },
        { path: 'site\\empty\\', content: '' },
        { path: '__MACOSX/site/._index.html', content: 'x' },
        { path: 'link.css', content: '/etc/passwd', mode: 0o120777 },
        { path: 'secret.css', content: 'x', flags: 1 },
        { path: 'site/été.png', content: 'x' },
        { path: 'site/été.png'.normalize('NFD'), content: 'x' },
      ),
    )
    expect(deck.pages.map(({ path, blob }) => [path, blob.size])).toEqual([['index.html', 5000]])
    expect(deck.assets.map(({ path, blob }) => [path.normalize('NFC'), blob.size])).toEqual([
      ['style.css', 3],
      ['été.png', 1],
    ])
    expect(deck.skipped.map(({ path }) => path)).toEqual([
      '__MACOSX/site/._index.html',
      'link.css',
      'secret.css',
    ])
  })

  test('of an older program has its names in code page 437', async () => {
    const nameBytes = Buffer.from('gr\x94\xe1e.png', 'latin1')
    const deck = await readZip('site.zip', blobOf(PAGE, { path: '', nameBytes, content: 'x' }))
    expect(deck.assets.map(({ path }) => path)).toEqual(['größe.png'])
  })

  test('that is damaged, lies about its sizes or leaves its folder is refused', async () => {
    const whole = zipOf(PAGE)
    const cases: [says: string, bytes: Bytes][] = [
      ['not recognized', new TextEncoder().encode('no zip') as Bytes],
      ['End of central directory', whole.slice(0, -3)],
      ['invalid relative path', zipOf(PAGE, { path: 'a/../../b.css', content: 'x' })],
      ['absolute path', zipOf(PAGE, { path: '/etc/b.css', content: 'x' })],
      ['absolute path', zipOf(PAGE, { path: 'C:\\b.css', content: 'x' })],
      [
        'uncompressed size',
        zipOf(PAGE, { path: 'b.css', content: 'x'.repeat(9), declaredBytes: 3 }),
      ],
      ['CRC32', zipOf(PAGE, { path: 'b.css', content: 'x', declaredBytes: 3 })],
      [
        'uncompressed size',
        zipOf(PAGE, { path: 'b.css', content: 'xx', declaredBytes: 3, isStored: true }),
      ],
      ['CRC32', zipOf(PAGE, { path: 'b.css', content: 'x', crc: 7 })],
      ['not supported', zipOf(PAGE, { path: 'b.css', content: 'x', method: 14 })],
      [
        'holds more than 500 MB',
        zipOf(PAGE, { path: 'b.css', content: 'x', declaredBytes: 2 ** 31 }),
      ],
    ]
    for (const [says, bytes] of cases) expect(await refusal(bytes)).toContain(says)
  })

  test('with any byte changed is read or refused with a reason', async () => {
    const whole = zipOf(PAGE, { path: 'style.css', content: 'b{}' })
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0xff, whole[at]! ^ 0x80]) {
        const changed = whole.slice()
        changed[at] = value
        const result = await refusal(changed)
        expect(result === '[object Object]' || result.startsWith('site.zip ')).toBe(true)
      }
    }
  })
})
