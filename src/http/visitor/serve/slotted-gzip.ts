import { type Deflated, deflated, joinGzip } from '../../kit/gzip-parts.ts'

/** A file in gzip with a slot for text that differs from response to response. */
export interface SlottedGzip {
  before: Deflated
  after: Deflated
}

export async function compressAround(source: Uint8Array, slot: number): Promise<SlottedGzip> {
  const [before, after] = await Promise.all([
    deflated(source.subarray(0, slot), 6),
    deflated(source.subarray(slot), 6),
  ])
  return { before, after }
}

/** The text is inserted uncompressed, so the length reveals nothing about it. */
export function fillSlottedGzip({ before, after }: SlottedGzip, text: string): Uint8Array {
  return joinGzip([before, text, after])
}
