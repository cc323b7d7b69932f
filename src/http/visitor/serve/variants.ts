import { LRUCache } from 'lru-cache'
import { ENCODINGS, type Encoding, preferredEncoding } from '../../kit/encodings.ts'
import { etagOfEncoding } from '../../kit/etag.ts'
import type { Personal } from '../responses/injection.ts'

/** Only gzip allows a viewer's token between compressed parts. */
const SLOT_ENCODINGS: readonly Encoding[] = ['gzip']
/** How many `Accept-Encoding` headers are parsed once: browsers send few different ones. */
const MAX_ACCEPTED = 100

/** The encodings of a file, with or without a slot for a viewer's token. */
export function encodingsOf(slot: number | null): readonly Encoding[] {
  return slot === null ? ENCODINGS : SLOT_ENCODINGS
}

/** The ETag and headers of one form of a file. */
export interface Variant {
  etag: string
  headers: Headers
}

/** The input for the choice of an encoding, besides the request. */
interface Choice {
  /** Null for a file that is never compressed. */
  encoded: object | null
  slot: number | null
}

/** Chooses the encoding that a request gets. */
export function createEncodingChoice() {
  const accepted = new LRUCache<string, Encoding | 'identity'>({ max: MAX_ACCEPTED })

  /** Null for the file as it is. A part of a file is always a part of the file as it is. */
  return ({ headers }: Request, { encoded, slot }: Choice): Encoding | null => {
    if (encoded === null) return null
    const header = headers.get('accept-encoding')
    if (header === null || headers.has('range')) return null
    const key = slot === null ? header : `slot ${header}`
    let encoding = accepted.get(key)
    if (encoding === undefined) {
      encoding = preferredEncoding(header, encodingsOf(slot)) ?? 'identity'
      accepted.set(key, encoding)
    }
    return encoding === 'identity' ? null : encoding
  }
}

/** Each encoding has an ETag of its own, and no byte ranges. */
export function encodedVariants(
  unencoded: Variant,
  encodings: readonly Encoding[],
): Partial<Record<Encoding, Variant>> {
  const variants = encodings.map((encoding) => {
    const etag = etagOfEncoding(unencoded.etag, encoding)
    const headers = new Headers(unencoded.headers)
    headers.set('etag', etag)
    headers.set('content-encoding', encoding)
    headers.delete('accept-ranges')
    return [encoding, { etag, headers }]
  })
  return Object.fromEntries(variants)
}

/** The ETag and headers of one viewer's copy. */
export function personalVariant(variant: Variant, personal: Personal): Variant {
  const etag = personalEtag(variant, personal)
  const headers = new Headers(variant.headers)
  headers.set('etag', etag)
  return { etag, headers }
}

export function personalEtag({ etag }: Variant, { copyId }: Personal): string {
  return `"${copyId}${etag.slice(1)}`
}
