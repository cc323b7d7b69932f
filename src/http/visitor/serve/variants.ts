import { ENCODINGS, type Encoding } from '../../kit/encodings.ts'
import { etagOfEncoding } from '../../kit/etag.ts'
import type { Personal } from '../responses/injection.ts'

/** In gzip alone can a viewer's token be put between compressed parts. */
const SLOT_ENCODINGS: readonly Encoding[] = ['gzip']

/** The encodings of a file, with or without a slot for a viewer's token. */
export function encodingsOf(slot: number | null): readonly Encoding[] {
  return slot === null ? ENCODINGS : SLOT_ENCODINGS
}

/** What tells one form of a file from the others. */
export interface Variant {
  etag: string
  headers: Headers
}

/** Each encoding has an ETag of its own, and no byte ranges. */
export function encodedVariants(
  plain: Variant,
  encodings: readonly Encoding[],
): Partial<Record<Encoding, Variant>> {
  const variants = encodings.map((encoding) => {
    const etag = etagOfEncoding(plain.etag, encoding)
    const headers = new Headers(plain.headers)
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
