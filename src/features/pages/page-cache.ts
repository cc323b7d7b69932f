import { LRUCache } from 'lru-cache'
import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { PAGE_CHANGED } from './changes.ts'
import * as store from './store.ts'

const MAX_CHARS = 64 * 1024 * 1024
/** How often the pages that were served meanwhile are compared with the database. */
const CHECK_MS = 1000

interface Entry<T> {
  value: T
  page: Page
  /** The last check after which it may be served without another. */
  validUntil: number
  isServed: boolean
}

export interface PageCacheDeps<T> {
  database: Database
  maxPages: number
  pageOf(value: T): Page
  /** About what a value takes in memory. */
  charsOf(value: T): number
  /** For tests. */
  checkMs?: number | undefined
}

/**
 * Caches what is made of a page, by slug, until a write to it is announced. On PostgreSQL, other
 * nodes write as well, and what they announce may be lost: a page that was not compared with the
 * database for two checks is not served. Each check compares those that were served meanwhile.
 */
export async function createPageCache<T extends object>(deps: PageCacheDeps<T>) {
  const { database, maxPages, pageOf, charsOf, checkMs = CHECK_MS } = deps
  const isShared = database.engine === 'postgres'
  const cache = new LRUCache<string, Entry<T>>({
    max: maxPages,
    maxSize: MAX_CHARS,
    sizeCalculation: ({ value }) => charsOf(value),
  })
  let changes = 0
  let checks = 0
  let timer: Timer | undefined

  await database.listen(
    PAGE_CHANGED,
    (slug) => {
      changes += 1
      cache.delete(slug)
    },
    () => {
      changes += 1
      cache.clear()
    },
  )

  /** Until when what is read now is valid. */
  function validFromNow(): number {
    if (!isShared) return Infinity
    timer ??= setInterval(check, checkMs).unref()
    return checks + 1
  }

  function check(): void {
    checks += 1
    const served = [...cache].filter(([, { isServed }]) => isServed)
    if (served.length > 0) {
      compare(served).catch(() => {
        // Without an answer they become invalid.
      })
      return
    }
    clearInterval(timer)
    timer = undefined
    // No check counts the time any more: everything is invalid until it is compared.
    checks += 2
  }

  async function compare(entries: readonly [slug: string, entry: Entry<T>][]): Promise<void> {
    const validUntil = checks + 1
    for (const [, entry] of entries) entry.isServed = false
    const revisions = await store.findRevisions(
      database.read,
      entries.map(([slug]) => slug),
    )
    for (const [slug, entry] of entries) {
      if (revisions.get(slug) === revisionOf(entry.page)) entry.validUntil = validUntil
      else if (cache.peek(slug) === entry) cache.delete(slug)
    }
  }

  return {
    /** What may be served without asking the database. */
    get(slug: string): T | undefined {
      const entry = cache.get(slug)
      if (entry === undefined || entry.validUntil < checks || !database.isListening()) {
        return undefined
      }
      entry.isServed = true
      return entry.value
    },
    /**
     * What is cached, or is read and cached. A page that was read while any page changed is not
     * cached: it may be the state before that change.
     */
    async find(slug: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      const before = changes
      const validUntil = validFromNow()
      const known = isShared ? cache.peek(slug) : undefined
      if (known !== undefined && database.isListening()) {
        const revision = (await store.findRevisions(database.read, [slug])).get(slug)
        if (revision === revisionOf(known.page) && before === changes) {
          known.validUntil = validUntil
          return known.value
        }
      }
      const value = await read()
      if (value !== undefined && before === changes) {
        cache.set(slug, { value, page: pageOf(value), validUntil, isServed: false })
      }
      return value
    },
  }
}

function revisionOf({ id, revision }: Page): string {
  return `${id} ${revision}`
}
