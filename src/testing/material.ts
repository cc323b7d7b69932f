/** Sample content of every type. The service detects a file's type by its first bytes. */

export const HTML = '<!doctype html><title>Plan</title><p>hello'

export function base64(content: string | Uint8Array): string {
  return Buffer.from(content as string).toString('base64')
}

/** A document of this many bytes, different at every call. */
export function htmlOf(sizeBytes: number): string {
  const head = `<!doctype html><p>${crypto.randomUUID()}</p>`
  return head + 'x'.repeat(sizeBytes - head.length)
}

/** This many random bytes after a tiny file of the type, different at every call. */
export function fileOf(type: keyof typeof STARTS, sizeBytes = 256): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  for (let at = 0; at < sizeBytes; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, sizeBytes)))
  }
  bytes.set(Buffer.from(STARTS[type], 'latin1'))
  return bytes
}

const STARTS = {
  pdf: '%PDF-1.7\n',
  png: '\x89PNG\r\n\x1a\n\0\0\0\0IEND\xae\x42\x60\x82',
  jpg: '\xff\xd8\xff\xd9',
  gif: 'GIF89a\x01\0\x01\0\0\0\0;',
  webp: 'RIFF\x10\0\0\0WEBP',
  ico: '\0\0\x01\0',
  woff: 'wOFF',
  woff2: 'wOF2',
  ttf: '\0\x01\0\0',
  otf: 'OTTO',
  avif: '\0\0\0\x1cftypavif',
  wasm: '\0asm\x01\0\0\0',
  mp4: '\0\0\0\x18ftypisom',
  webm: '\x1a\x45\xdf\xa3',
  mp3: 'ID3\x04',
  wav: 'RIFF\x24\0\0\0WAVEfmt ',
}

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'
