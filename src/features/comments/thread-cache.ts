import { LRUCache } from 'lru-cache'
import type { Page } from '../../model/page/index.ts'
import { createSlices } from '../../model/time-slices.ts'
import { timestampOf } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { RefreshAnchorStates } from './anchor-states.ts'
import { threadsOf } from './rules.ts'
import * as store from './store.ts'
import type { Entry } from './thread-entry.ts'

const MAX_CHARS = 64 * 1024 * 1024
/** The size limit of one answer: some 5,000 comments. The panel asks for earlier ones. */
const MAX_ANSWER_CHARS = 4 * 1024 * 1024
/** The rows that one query reads: it blocks other requests for a few milliseconds. */
const ROWS_AT_ONCE = 100

interface CachedThreads {
  revision: number
  /** That of its newest comment. */
  createdAt: string
  /** The content that its anchors were located in. */
  manifestId: string
  /** The key is the id, in the order in which the threads began. */
  entries: Map<string, Entry>
  /** Comments and replies that can be seen. */
  count: number
  chars: number
}

interface ThreadQuery {
  /** The revision that the client has. */
  known: number | null
  /** The first thread that the client has: earlier ones are asked for. */
  before: string | null
}

interface ThreadAnswer {
  revision: number
  is_whole: boolean
  /** A JSON array. */
  threads: string
  earlier: string | null
  count: number
}

interface ThreadCacheDeps {
  database: Database
  refreshAnchorStates: RefreshAnchorStates
  /** The memory limit for the threads of all pages together. */
  maxChars?: number
  maxAnswerChars?: number
  rowsAtOnce?: number
}

/**
 * Serializes the threads of pages for viewers once for each change, not for each reader. After a
 * change, only the threads that it touched are read.
 */
export function createThreadCache(deps: ThreadCacheDeps) {
  const { database, refreshAnchorStates } = deps
  const { maxChars = MAX_CHARS, maxAnswerChars = MAX_ANSWER_CHARS } = deps
  const { rowsAtOnce: limit = ROWS_AT_ONCE } = deps
  const cache = new LRUCache<string, CachedThreads>({
    maxSize: maxChars,
    sizeCalculation: ({ chars }) => chars + 1000,
  })
  const loading = new Map<string, Promise<CachedThreads>>()

  /** A change during the read has a later revision than the counter, so it is read again. */
  async function readAll(
    pageId: string,
    pause: () => Promise<boolean>,
  ): Promise<store.CommentRow[]> {
    const rows: store.CommentRow[] = []
    for (;;) {
      const after = rows.at(-1)?.created_at ?? ''
      const part = await store.listAfter(database.read, pageId, { after, limit })
      rows.push(...part)
      if (part.length < limit) return rows
      await pause()
    }
  }

  async function load(page: Page, counter: store.Counter): Promise<CachedThreads> {
    const manifestId = page.published_id ?? page.draft_id
    const cached = cache.get(page.id)
    const isUsable = cached?.manifestId === manifestId && cached.revision >= counter.whole_revision
    const pause = createSlices()
    const rows = isUsable
      ? await store.listChanged(database.read, page.id, cached)
      : await readAll(page.id, pause)
    await refreshAnchorStates(page, rows)
    // Loaded now: a start does without the schemas of comments.
    const { entryOf } = await import('./thread-entry.ts')
    const entries = new Map(isUsable ? cached.entries : [])
    for (const thread of threadsOf(rows)) {
      entries.set(thread.root.id, entryOf(thread))
      await pause()
    }
    let [chars, count] = [0, 0]
    for (const entry of entries.values()) {
      chars += entry.json.length
      count += entry.count
    }
    const { revision, last_us } = counter
    const createdAt = timestampOf(last_us)
    const loaded = { revision, createdAt, manifestId, entries, count, chars }
    // A slower load of an earlier revision must not replace a later one.
    const newer = cache.get(page.id)
    if (newer?.manifestId !== manifestId || newer.revision < loaded.revision) {
      cache.set(page.id, loaded)
    }
    return loaded
  }

  /** The threads of the counter's revision or of a later one. Concurrent readers share one load. */
  async function current(page: Page, counter: store.Counter): Promise<CachedThreads> {
    const manifestId = page.published_id ?? page.draft_id
    const cached = cache.get(page.id)
    if (cached?.manifestId === manifestId && cached.revision >= counter.revision) return cached
    const key = `${page.id} ${manifestId} ${counter.revision}`
    const running = loading.get(key)
    if (running !== undefined) return running
    const promise = load(page, counter).finally(() => loading.delete(key))
    loading.set(key, promise)
    return promise
  }

  return async (page: Page, { known, before }: ThreadQuery): Promise<ThreadAnswer> => {
    const counter = await store.findCounter(database.read, page.id)
    const isUnchanged = known === counter.revision && before === null
    const { entries, revision, count } = await current(page, counter)
    const answer = { revision, count, is_whole: false, earlier: null }
    if (isUnchanged) return { ...answer, threads: '[]' }
    const isDelta = known !== null && known >= counter.whole_revision && known <= revision
    if (isDelta && before === null) {
      const changed = [...entries.values()].filter((entry) => entry.revision > known)
      return { ...answer, threads: jsonOf(changed) }
    }
    const { shown, earlier } = newest(entries, before, maxAnswerChars)
    return { ...answer, is_whole: before === null, earlier, threads: jsonOf(shown) }
  }
}
/** The newest threads before a given one that fit into an answer; at least one, if there is any. */
function newest(entries: ReadonlyMap<string, Entry>, before: string | null, maxChars: number) {
  const ids = [...entries].flatMap(([id, { count }]) => (count > 0 ? [id] : []))
  const index = before === null ? ids.length : ids.indexOf(before)
  const end = Math.max(0, index)
  let start = end
  let chars = 0
  while (start > 0) {
    const { json } = entries.get(ids[start - 1]!)!
    chars += json.length
    if (chars > maxChars && start < end) break
    start -= 1
  }
  const items = ids.slice(start, end).map((id) => entries.get(id)!)
  return { shown: items, earlier: start > 0 ? (ids[start] ?? null) : null }
}

function jsonOf(entries: readonly Entry[]): string {
  return `[${entries.map(({ json }) => json).join(',')}]`
}
