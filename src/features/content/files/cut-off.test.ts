import { expect, test } from 'bun:test'
import { type ImageFormat, isCutOff } from './cut-off.ts'
import { downloadName } from './types.ts'

const SAMPLES: [ImageFormat, string][] = [
  ['png', '\x89PNG\r\n\x1a\n\0\0\0\x02IDATxx....\0\0\0\0IEND....'],
  ['jpg', '\xff\xd8\xff\xe0\0\x04\xff\xd9\xff\xda\0\x02ab\xff\0c\xff\xd0d\xff\xda\0\x02e\xff\xd9'],
  ['gif', 'GIF89a\x01\0\x01\0\x80\0\0RGBRGB!\xf9\x01;\0,\0\0\0\0\x01\0\x01\0\0\x02\x01x\0;'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 ........'],
]

test.each(SAMPLES)('of a %s no byte may be missing, and more may follow', (format, text) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(isCutOff(format, bytes)).toBe(false)
  expect(isCutOff(format, Buffer.concat([bytes, Buffer.from('more')]))).toBe(false)
  const lengths = Array.from({ length: bytes.length }, (_, length) => length)
  const whole = lengths.filter((length) => !isCutOff(format, bytes.subarray(0, length)))
  expect(whole).toEqual([])
})

test.each([
  ['a.jpeg', 'image/jpeg', 'a.jpeg'],
  ['a.JPG', 'image/jpeg', 'a.JPG'],
  ['scan', 'image/jpeg', 'scan.jpg'],
  ['Report v1.2', 'application/pdf', 'Report v1.2.pdf'],
  ['index.html', 'text/html; charset=utf-8', 'index.html'],
])('%s as %s is saved as %s', (name, mime, saved) => {
  expect(downloadName(name, mime)).toBe(saved)
})
