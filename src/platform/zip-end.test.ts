import { expect, test } from 'bun:test'
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { endsWhole, ZIP_END_BYTES } from './zip.ts'

const isWhole = (bytes: Uint8Array) => endsWhole(bytes.subarray(-ZIP_END_BYTES), bytes.byteLength)

async function zipOf(entries: number, isLarge = false): Promise<Buffer> {
  const zip = new ZipFile()
  for (let n = 0; n < entries; n++) zip.addBuffer(Buffer.from(`words ${n}`), `entry-${n}`)
  zip.end({ forceZip64Format: isLarge, comment: '' })
  return Buffer.concat(await Array.fromAsync(zip.outputStream as Readable))
}

test('a zip that is whole ends where it says, also in the form of large archives', async () => {
  for (const entries of [0, 1, 100]) {
    expect(isWhole(await zipOf(entries))).toBe(true)
    expect(isWhole(await zipOf(entries, true))).toBe(true)
  }
})

test('one that was cut off, anywhere, or has more bytes does not', async () => {
  for (const zip of [await zipOf(3), await zipOf(3, true)]) {
    for (let length = 0; length < zip.byteLength; length++) {
      expect(isWhole(zip.subarray(0, length))).toBe(false)
    }
    expect(isWhole(zip.subarray(1))).toBe(false)
    expect(isWhole(Buffer.concat([zip, Buffer.from('x')]))).toBe(false)
    expect(isWhole(Buffer.concat([zip.subarray(0, 40), zip.subarray(60)]))).toBe(false)
  }
})

test('the end of a large zip names the offset of its list', () => {
  const listStart = 5_000_000_000n
  const end = Buffer.alloc(ZIP_END_BYTES)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(1000n, 40)
  end.writeBigUInt64LE(listStart, 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeUInt32LE(0x06054b50, 76)
  end.fill(0xff, 76 + 8, 76 + 20)
  expect(endsWhole(end, Number(listStart) + 1000 + ZIP_END_BYTES)).toBe(true)
  expect(endsWhole(end, Number(listStart) + 1001 + ZIP_END_BYTES)).toBe(false)
})
