import { LRUCache } from 'lru-cache'
import type { Page } from '../../../model/page/index.ts'

/** The size of a cache, in characters of cookies. */
const MAX_CHARS = 4 * 1024 * 1024
/** A longer header is read each time. */
const MAX_HEADER_CHARS = 4096
/** The size of an entry without its header. */
const ENTRY_CHARS = 200

/** Milliseconds since the epoch. */
interface Ending {
  /** When the first proof in it expires. */
  untilMs: number
}

interface Entry<T> extends Pick<Page, 'id' | 'revision' | 'access_epoch'> {
  proof: T
}

/**
 * Caches the proofs in a `Cookie` header for a page, by its exact bytes: parsing it and verifying
 * its signatures takes 10 µs. An entry ends when a proof in it expires, and with every write to the
 * page, such as a new access epoch. It says who a visitor is, not what the visitor may open: that
 * is decided at each request.
 */
export function createProofCache<T extends Ending>() {
  const cache = new LRUCache<string, Entry<T>>({
    maxSize: MAX_CHARS,
    sizeCalculation: (_, cookies) => cookies.length + ENTRY_CHARS,
  })
  return (cookies: string, page: Page, nowMs: number, read: () => T): T => {
    const known = cache.get(cookies)
    if (known !== undefined && isOf(known, page) && nowMs < known.proof.untilMs) return known.proof
    const proof = read()
    const { id, revision, access_epoch: accessEpoch } = page
    if (cookies.length <= MAX_HEADER_CHARS) {
      cache.set(cookies, { id, revision, access_epoch: accessEpoch, proof })
    }
    return proof
  }
}

function isOf({ id, revision, access_epoch: epoch }: Entry<unknown>, page: Page): boolean {
  return id === page.id && revision === page.revision && epoch === page.access_epoch
}
