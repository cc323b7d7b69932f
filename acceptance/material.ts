/** Creates small pages and files. */
import { deflateSync } from 'node:zlib'

let count = 0
const run = crypto.randomUUID().slice(0, 8)

/** A unique word. */
export function word(stem = 'word'): string {
  count += 1
  return `${stem}-${run}-${count}`
}

const viewport = '<meta name="viewport" content="width=device-width">'

/** An HTML document without anything that publishing rewrites or warns of. */
export function html(words: string, title?: string): string {
  const head = title === undefined ? viewport : `${viewport}<title>${title}</title>`
  return `<!doctype html><html lang="en"><head>${head}</head><body><p>${words}</p></body></html>\n`
}

/** An HTML document of exactly this many bytes. */
export function htmlOfSize(sizeBytes: number, words = ''): string {
  const start = `<!doctype html><html><head>${viewport}</head><body><p>${words}</p><!--`
  const end = '--></body></html>'
  return start + 'x'.repeat(sizeBytes - start.length - end.length) + end
}

export function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes as string).toString('base64')
}

export function sha256(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function bytesOf(...parts: (string | number[] | Uint8Array)[]): Uint8Array {
  const buffers = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
  )
  return new Uint8Array(Buffer.concat(buffers))
}

/** A 1x1 PNG in a random colour. */
export function png(): Uint8Array {
  count += 1
  const pixel = deflateSync(Buffer.from([0, count & 255, (count >> 8) & 255, 7]))
  const header = bytesOf([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  return bytesOf(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixel),
    pngChunk('IEND', new Uint8Array()),
  )
}

function pngChunk(type: string, content: Uint8Array): Uint8Array {
  const body = bytesOf(type, content)
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(Bun.hash.crc32(body), 4)
  return bytesOf(frame.subarray(0, 4), body, frame.subarray(4))
}

const tinyJpeg =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8Q' +
  'EBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k='

export function jpeg(): Uint8Array {
  return new Uint8Array(Buffer.from(tinyJpeg, 'base64'))
}

export function gif(): Uint8Array {
  return new Uint8Array(
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  )
}

export function webp(): Uint8Array {
  return new Uint8Array(
    Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64'),
  )
}

export function ico(): Uint8Array {
  const image = png()
  const entry = Buffer.alloc(16)
  entry[0] = 1
  entry[1] = 1
  entry.writeUInt16LE(1, 4)
  entry.writeUInt16LE(24, 6)
  entry.writeUInt32LE(image.length, 8)
  entry.writeUInt32LE(22, 12)
  return bytesOf([0, 0, 1, 0, 1, 0], entry, image)
}

export function svg(): Uint8Array {
  return utf8(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>',
  )
}

/** The header of an empty font: the service detects fonts by their first bytes. */
export function font(format: 'woff' | 'woff2' | 'ttf' | 'otf'): Uint8Array {
  const rest = new Uint8Array(44)
  if (format === 'woff') return bytesOf('wOFF', [0, 1, 0, 0], [0, 0, 0, 44], rest)
  if (format === 'woff2') return bytesOf('wOF2', [0, 1, 0, 0], [0, 0, 0, 48], rest)
  if (format === 'otf') return bytesOf('OTTO', rest)
  return bytesOf([0, 1, 0, 0], rest)
}

/** A one-page PDF with this text. */
export function pdf(words = 'Hello'): Uint8Array {
  const stream = `BT /F1 24 Tf 40 90 Td (${words}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 150]/Contents 4 0 R' +
      '/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let body = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets: number[] = []
  objects.forEach((object, index) => {
    offsets.push(body.length)
    body += `${index + 1} 0 obj${object}endobj\n`
  })
  const xref = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const offset of offsets) body += `${String(offset).padStart(10, '0')} 00000 n \n`
  body += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`
  return bytesOf(body)
}

/** A PDF of exactly this many bytes, padded after `%%EOF`. */
export function pdfOfSize(sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes).fill(0x0a)
  whole.set(pdf())
  return whole
}

/** A file with the first bytes of a ZIP, such as Office documents have. */
export function zip(): Uint8Array {
  return bytesOf('PK\x03\x04', new Uint8Array(60))
}

/** A data: URI of exactly this many characters. */
export function dataUri(chars: number): string {
  const start = 'data:image/png;base64,'
  return start + 'A'.repeat(chars - start.length)
}

export function isoIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}
