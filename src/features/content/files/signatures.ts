/** The type of a file by its first bytes. */
export type Signature =
  | 'pdf'
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'ico'
  | 'woff'
  | 'woff2'
  | 'sfnt'
  | 'wasm'
  | 'avif'
  | 'mp4'
  | 'webm'
  | 'mp3'
  | 'wav'

const STARTS: [Signature, starts: string][] = [
  ['pdf', '%PDF-'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpg', '\xff\xd8\xff'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['ico', '\0\0\x01\0'],
  ['woff', 'wOFF'],
  ['woff2', 'wOF2'],
  ['sfnt', 'OTTO'],
  ['sfnt', '\0\x01\0\0'],
  ['sfnt', 'true'],
  ['wasm', '\0asm'],
  ['webm', '\x1a\x45\xdf\xa3'],
  ['mp3', 'ID3'],
]

/** How far the brands of an MP4 or AVIF are read. */
const HEAD_BYTES = 64

/** @returns null for bytes of no known type, such as text */
export function signatureOf(bytes: Uint8Array): Signature | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const found = STARTS.find(([, starts]) => head.startsWith(starts))?.[0]
  if (found !== undefined) return found
  if (head.startsWith('RIFF')) {
    if (head.startsWith('WEBP', 8)) return 'webp'
    return head.startsWith('WAVE', 8) ? 'wav' : null
  }
  if (head.startsWith('ftyp', 4)) return /avi[fs]/.test(head.slice(8)) ? 'avif' : 'mp4'
  return isMp3Frame(bytes) ? 'mp3' : null
}

/** Whether the bytes start with the header of a frame of MPEG audio, layer III. */
function isMp3Frame([first, second = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2
}
