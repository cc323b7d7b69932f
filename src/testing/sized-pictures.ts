/** The header of a PNG of so many pixels, without them. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** A transparent PNG of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const drawn = (width: number, height: number) =>
  new Bun.Image(DOT).resize(width, height, { fit: 'fill' })

/** Pictures of so many pixels. */
export const sized = {
  png,
  webp: (width: number, height: number) => drawn(width, height).webp().bytes(),
  jpeg: (width: number, height: number) => drawn(width, height).jpeg().bytes(),
}
