import { deflateSync, inflateSync } from 'node:zlib'
import { chunk } from './raster.ts'

/** Red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  width: number
  height: number
  /** The place of the first byte of a row. */
  startOf(row: number): number
  bytes: Uint8Array
}

const FORMATS = ['jpeg', 'webp', 'png'] as const
type Format = (typeof FORMATS)[number]

const PIXEL_BYTES = 4
const SIGNATURE_BYTES = 8
const QUALITY = { quality: 90 }

/**
 * An image whose pixels were changed. Of one that moves, the first picture is left, as a PNG.
 *
 * @param maxPixels of the given image, however small its file is
 * @param maxSide of the result: a larger image is made smaller
 * @throws Error for what is no image, or a larger one
 */
export async function withPixels(
  image: Uint8Array,
  { maxPixels, maxSide }: { maxPixels: number; maxSide: number },
  change: (pixels: Pixels) => void,
): Promise<{ bytes: Uint8Array; mime: string }> {
  const source = new Bun.Image(image, { maxPixels })
  const { format } = await source.metadata()
  const plain = source
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
  const png = changePng(Buffer.from(await plain.bytes()), change)
  const output = FORMATS.find((each) => each === format) ?? 'png'
  return { bytes: await encode(new Bun.Image(png), output), mime: `image/${output}` }
}

function encode(image: Bun.Image, format: Format): Promise<Uint8Array> {
  if (format === 'png') return image.png().bytes()
  return (format === 'jpeg' ? image.jpeg(QUALITY) : image.webp(QUALITY)).bytes()
}

/** Changes the pixels of a PNG that was not compressed, and keeps its colour profile. */
function changePng(png: Buffer, change: (pixels: Pixels) => void): Buffer {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')!.data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const data = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const rowBytes = width * PIXEL_BYTES + 1
  const rows = inflateSync(Buffer.concat(data), { maxOutputLength: rowBytes * height })
  const isPlain = header.subarray(8).equals(PLAIN) && rows.length === rowBytes * height
  for (let row = 0; row < height; row++) {
    if (!isPlain || rows[row * rowBytes] !== 0) throw new Error('The pixels are not as expected')
  }
  change({ width, height, bytes: rows, startOf: (row) => row * rowBytes + 1 })
  const others = chunks.filter(({ type }) => type !== 'IDAT' && type !== 'IEND')
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    ...others.map(({ type, data }) => chunk(type, data)),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', ''),
  ])
}

/** Eight bits for each colour and for opacity, without interlacing. */
const PLAIN = Buffer.from([8, 6, 0, 0, 0])

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const end = at + SIGNATURE_BYTES + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + SIGNATURE_BYTES)
    chunks.push({ type, data: png.subarray(at + SIGNATURE_BYTES, end) })
    at = end + 4
  }
  return chunks
}
