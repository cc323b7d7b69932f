import { ApiError } from '../../src/client/index.ts'

/** Takes the ETag of the page itself: that of a compressed answer names its encoding, too. */
export function etagReader() {
  const reader = {
    etag: null as string | null,
    onEtag(etag: string): void {
      reader.etag = etag.replace(/-(?:br|zstd|gzip)"$/, '"')
    },
  }
  return reader
}

/** Whether another write came between: the page has another ETag, or is being written. */
export function isOvertaken(err: unknown): boolean {
  return err instanceof ApiError && ['precondition_failed', 'conflict'].includes(err.code)
}
