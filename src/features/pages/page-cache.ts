import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import { createChangeWatch } from './changed/change-watch.ts'
import { PAGE_CHANGED } from './changes.ts'

const MAX_CHARS = 64 * 1024 * 1024
/** How often other nodes' changes are read. */
const CHECK_MS = 1000

export interface PageCacheDeps<T> {
  database: Database
  maxPages: number
  /** The id of the page's account. */
  accountOf(value: T): string
  /** About what a value takes in memory. */
  charsOf(value: T): number
  /** For tests. */
  checkMs?: number | undefined
}

/**
 * Caches a value for each page, by slug, until a write to the page or its account is announced. On
 * PostgreSQL, other nodes write as well, and their notifications may be lost. So changes are also
 * read each second, and nothing is served from memory unless one of the last two checks confirmed
 * it. On SQLite, commands write beside the server, which notices at its next look into the cache.
 */
export async function createPageCache<T extends object>(deps: PageCacheDeps<T>) {
  const { database, maxPages, accountOf, charsOf, checkMs = CHECK_MS } = deps
  const cache = new LRUCache<string, T>({
    max: maxPages,
    maxSize: MAX_CHARS,
    sizeCalculation: charsOf,
  })
  let changes = 0

  /** @param changed the slug of a page, or the id of an account: all its pages */
  function onChanged(changed: string): void {
    changes += 1
    if (!isId('acc', changed)) return void cache.delete(changed)
    for (const [slug, value] of [...cache.entries()]) {
      if (accountOf(value) === changed) cache.delete(slug)
    }
  }
  function onLost(): void {
    changes += 1
    cache.clear()
  }
  const onMissed = database.listenAgain
  const watch =
    database.engine === 'postgres'
      ? createChangeWatch({ database, everyMs: checkMs, onChanged, onLost, onMissed })
      : null
  const onNotified = (changed: string) => {
    watch?.announced(changed)
    onChanged(changed)
  }
  await database.listen(PAGE_CHANGED, onNotified, onLost)

  /** The cached value, if it may be served without a query. */
  function get(slug: string): T | undefined {
    const value = cache.get(slug)
    if (value === undefined) return undefined
    return (watch?.isCurrent() ?? true) && database.isListening() ? value : undefined
  }

  return {
    get,
    /**
     * The cached value, or else reads and caches it. A value that was read while any page changed
     * is not cached, since it may be the state before that change.
     */
    async find(slug: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
      await watch?.catchUp()
      const known = get(slug)
      if (known !== undefined) return known
      const before = changes
      const value = await read()
      if (value !== undefined && before === changes) cache.set(slug, value)
      return value
    },
  }
}
