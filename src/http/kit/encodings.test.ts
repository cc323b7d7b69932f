import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { processorMs } from '../../testing/processor-time.ts'
import {
  compress,
  compressionStream,
  ENCODINGS,
  isCompressible,
  preferredEncoding,
  prefersMarkdown,
} from './encodings.ts'

describe('the content coding that Accept-Encoding prefers', () => {
  const cases: [string | null, ReturnType<typeof preferredEncoding>][] = [
    [null, null],
    ['', null],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', null],
    ['zstd, gzip', 'zstd'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br ; q = 0.5 , zstd;q=0.4', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', null],
    ['*', 'br'],
    ['*, br;q=0', 'zstd'],
    ['*;q=0.1, gzip;q=0.2', 'gzip'],
    ['*;q=0', null],
    ['identity', null],
    ['identity;q=1, *;q=0', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.001', 'gzip'],
    ['identity;q=0', null],
    ['gzip;q=2', null],
    ['gzip;q=x, br;q=-1', null],
    ['gzip;level=9', null],
    [', ,gzip,', 'gzip'],
  ]
  test.each(cases)('%p is %p', (header, expected) => {
    expect(preferredEncoding(header)).toBe(expected)
  })

  test('and the type that Accept prefers are read in a time that grows with their length alone', () => {
    const spaces = ' '.repeat(60_000)
    for (const value of [`gzip;q=1${spaces}x`, `gzip${spaces}x`, `${spaces}gzip;${spaces};`]) {
      const read = () => [preferredEncoding(value), prefersMarkdown(value)]
      expect(processorMs(() => expect(read()).toEqual([null, false]))).toBeLessThan(500)
    }
  })
})

test('text is compressible, and formats that are compressed are not', () => {
  const yes = 'text/html; charset=utf-8,text/css,image/svg+xml,application/json,font/ttf'
  const no = 'image/png,image/webp,application/pdf,font/woff2,video/mp4,application/octet-stream'
  expect(yes.split(',').filter((mime) => !isCompressible(mime))).toEqual([])
  expect(no.split(',').filter(isCompressible)).toEqual([])
})

describe('a compressed body', () => {
  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
  for (const encoding of ['br', 'zstd', 'gzip'] as const) {
    for (const sizeBytes of [2000, 2_500_000]) {
      test(`of ${sizeBytes} bytes decodes as ${encoding} to the original`, async () => {
        const source = Buffer.alloc(sizeBytes, 'some words, ')
        const encoded = await compress(source, encoding)
        expect(encoded.byteLength).toBeLessThan(source.byteLength / 10)
        expect(decoders[encoding](encoded).equals(source)).toBe(true)
      })
    }
  }
})

describe('a compressed stream', () => {
  async function* pieces(log: string[]): AsyncGenerator<string> {
    try {
      for (let at = 0; at < 10_000; at++) {
        log.push(`piece ${at}`)
        yield `${crypto.randomUUID()}\n`.repeat(500)
      }
    } finally {
      log.push('ended')
    }
  }

  for (const encoding of ENCODINGS) {
    test(`of ${encoding} reads its source as it is read, and ends it when it is left`, async () => {
      const log: string[] = []
      const stream = compressionStream(pieces(log), encoding)
      expect((await stream.next()).value!.byteLength).toBeGreaterThan(0)
      await stream.return(undefined)
      await Bun.sleep(10)
      expect(log.at(-1)).toBe('ended')
      expect(log.length).toBeLessThan(1000)
    })

    test(`of ${encoding} passes on that its source failed`, async () => {
      async function* failing(): AsyncGenerator<string> {
        yield 'words'
        throw new Error('the source failed')
      }
      const read = Array.fromAsync(compressionStream(failing(), encoding))
      await expect(read).rejects.toThrow('the source failed')
    })
  }
})
