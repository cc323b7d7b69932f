import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'

/** The content codings of responses, the smallest result first. */
export const ENCODINGS = ['br', 'zstd', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The order for bodies that are compressed for each response: zstd takes half the time of br. */
export const FAST_ENCODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** The suffix of an encoded file's name. */
export const FILE_SUFFIX: Readonly<Record<Encoding, string>> = {
  br: '.br',
  zstd: '.zst',
  gzip: '.gz',
}

/** A smaller body fits into one packet either way. */
export const MIN_ENCODED_BYTES = 1024
/** A larger body is compressed at a lower level. */
const LARGE_BYTES = 2 * 1024 * 1024

const brotliAsync = promisify(brotliCompress)
const zstdAsync = promisify(zstdCompress)
const gzipAsync = promisify(gzip)

/**
 * Chooses the content coding by an `Accept-Encoding` header (RFC 9110, 12.5.3): the one with the
 * highest weight, the first in `order` among equals.
 *
 * @returns null for no coding, also where the header excludes every coding and `identity` too
 */
export function preferredEncoding(
  acceptEncoding: string | null,
  order: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (acceptEncoding === null) return null
  const weights = weightsIn(acceptEncoding)
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let best: Encoding | null = null
  for (const encoding of order) {
    if (weightOf(encoding) > (best === null ? 0 : weightOf(best))) best = encoding
  }
  if (best === null) return null
  return (weights.get('identity') ?? 0) > weightOf(best) ? null : best
}

/** Whether an `Accept` header names `text/markdown`, and HTML is not preferred. */
export function prefersMarkdown(accept: string): boolean {
  const weights = weightsIn(accept.replace(/;(?!\s*q\s*=)[^,;]*/gi, ''))
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= html
}

/** The weight of each coding or type by its name in lower case. A malformed weight counts as 0. */
function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [, name, q = '1'] = /^([^\s;]+)\s*(?:;\s*q\s*=\s*(.*))?$/.exec(part.trim()) ?? []
    if (name === undefined) continue
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight)
  }
  return weights
}

/** Whether files of this type become smaller: text, and formats without compression. */
export function isCompressible(mime: string): boolean {
  return COMPRESSIBLE.test(mime)
}
const COMPRESSIBLE =
  /^(?:text\/|image\/(?:svg|bmp)|font\/(?:ttf|otf)|application\/(?:.*(?:json|xml|javascript)|wasm))/

/** Compresses in a thread of its own, at a level that takes under 0.1 s for a megabyte. */
export function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const isLarge = bytes.byteLength > LARGE_BYTES
  if (encoding === 'gzip') return gzipAsync(bytes, { level: 6 })
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: isLarge ? 6 : 12 }
    return zstdAsync(bytes, { params })
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isLarge ? 5 : 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  }
  return brotliAsync(bytes, { params })
}

const FAST_GZIP = { level: 4 }
const FAST_ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Compresses in a thread of its own, at a level for a body that is sent once. */
export function compressFast(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipAsync(bytes, FAST_GZIP)
  return encoding === 'zstd' ? zstdAsync(bytes, FAST_ZSTD) : brotliAsync(bytes, FAST_BROTLI)
}

/** Compresses chunks as they come. It reads its source no faster than its reader reads. */
export async function* compressionStream(
  chunks: AsyncIterable<string | Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const encoder =
    encoding === 'gzip'
      ? createGzip(FAST_GZIP)
      : encoding === 'zstd'
        ? createZstdCompress(FAST_ZSTD)
        : createBrotliCompress(FAST_BROTLI)
  const source = Readable.from(chunks, { highWaterMark: 1 })
  const done = pipeline(source, encoder)
  // Its error reaches the reader through the encoder, too.
  done.catch(() => {})
  try {
    yield* encoder
    await done
  } finally {
    encoder.destroy()
    source.destroy()
  }
}
