import { JsonText } from '../../model/json-text.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { Locate } from './anchors/index.ts'
import {
  type CommentQuery,
  type OwnersComment,
  type ThreadInput,
  viewersComment,
} from './contract.ts'
import { anchorIn, placesIn, type Thread, threadsOf, toOwner, toViewers } from './rules.ts'
import * as store from './store.ts'

/**
 * The size of the threads in one answer, which has at least one: reading and writing so much holds
 * up other requests for some milliseconds.
 */
const MAX_BYTES = 512 * 1024
/** The most threads in an answer to viewers. */
const MAX_THREADS = 1000
/** A list of the owner's takes long on a page with more: it may go through all of them. */
const MANY = 2000
/** Later than any comment. */
const NEVER = '9999'

interface ThreadDeps {
  database: Database
  locate: Locate
  /** Smaller in tests. */
  maxBytes?: number
}

/** Reads the threads of a page, with anchors as they stand in the published content. */
export function createThreads(deps: ThreadDeps) {
  const { database, maxBytes } = deps
  return {
    readThreads,
    readWithParents,
    /** Threads of the pages in the form of `listComments`, by id. */
    async presentThreads(pages: readonly Page[], items: readonly Thread[]) {
      for (const page of pages) {
        const threads = items.filter(({ root }) => root.page_id === page.id)
        await refresh(deps, page, threads)
      }
      return new Map(items.map((item) => [item.root.id, toOwner(item)]))
    },
    /** Lists threads for the page's owner, including what viewers do not see. */
    async list(page: Page, query: CommentQuery) {
      const { limit, offset } = query
      const { count } = await store.findCounter(database.read, page.id)
      const read = count > MANY ? database.longRead : database.snapshot
      const { ids, threads } = await read(async (db) => {
        const range = { ...query, limit: limit + 1, page_id: page.id }
        const ids = await store.listThreadIds(db, range)
        return { ids, threads: await readThreads(db, ids.slice(0, limit), maxBytes) }
      })
      await refresh(deps, page, threads)
      const next = threads.length < ids.length ? offset + threads.length : null
      return { data: threads.map(toOwner) satisfies OwnersComment[], next_offset: next }
    },
    /** What the panel reads: what changed since a revision, or the newest threads before one. */
    async read(page: Page, { known = null, before = null }: ThreadInput) {
      const { read: db } = database
      // A change during the read has a later revision than the counter, so it is read again.
      const { revision, whole_revision } = await store.findCounter(db, page.id)
      const answer = { revision, is_whole: false, earlier: null, count: null }
      if (known === revision && before === null) return { ...answer, threads: new JsonText('[]') }
      const count = (await store.countOpenThreads(db, [page.id])).get(page.id) ?? 0
      const isDelta = known !== null && known >= whole_revision && known <= revision
      if (isDelta && before === null) {
        const changed = threadsOf(await store.listChanged(db, [page.id, known]))
        await refresh(deps, page, changed)
        return { ...answer, count, threads: jsonOf(changed) }
      }
      const first = before === null ? undefined : await store.find(db, [page.id, before])
      const end = before === null ? NEVER : (first?.created_at ?? '')
      const rows = await store.listVisibleIds(db, [page.id, end, MAX_THREADS + 1])
      const ids = rows.slice(0, MAX_THREADS).map(({ id }) => id)
      const threads = await readThreads(db, ids, maxBytes)
      await refresh(deps, page, threads)
      const earlier = threads.length < rows.length ? (threads.at(-1)?.root.id ?? null) : null
      const isWhole = before === null
      return { ...answer, count, is_whole: isWhole, earlier, threads: jsonOf(threads.reverse()) }
    },
  }
}
export type Threads = ReturnType<typeof createThreads>

/**
 * Locates the anchors of threads in the published content, and stores that, so that it is done once
 * after each publish and not at each read.
 */
async function refresh(
  { database, locate }: ThreadDeps,
  page: Page,
  threads: readonly Thread[],
): Promise<void> {
  const shownManifestId = page.published_id ?? page.draft_id
  const mayTell = page.published_id !== null
  const due = threads
    .flatMap(({ root, replies }) => [root, ...replies])
    .filter((row) => row.anchor !== null && row.anchor_manifest_id !== shownManifestId)
  if (due.length === 0) return
  const questions = due.map((row) => {
    const { page_id: pageId, path, file_hash: fileHash } = row
    const anchor = anchorIn(row)!
    return { pageId, path, fileHash, anchor, places: placesIn(row), shownManifestId, mayTell }
  })
  const located = await locate(questions)
  due.forEach((row, at) => {
    const { state, places } = located[at]!
    row.anchor_state = state
    row.anchor_places = JSON.stringify(places)
    row.anchor_manifest_id = shownManifestId
  })
  await database.write(async (tx) => {
    for (const { id, anchor_state, anchor_places, anchor_manifest_id } of due) {
      await store.updateAnchor(tx, [id], { anchor_state, anchor_places, anchor_manifest_id })
    }
  }, 'relaxed')
}

/** Threads with their replies, in the order of the ids: at least one, and what fits an answer. */
async function readThreads(
  db: Db,
  ids: readonly string[],
  maxBytes = MAX_BYTES,
): Promise<Thread[]> {
  // Sizes are read before any text: a thread can have a thousand long replies.
  const sizes = await store.sizesOf(db, ids)
  let bytes = 0
  const over = ids.findIndex((id, index) => {
    bytes += sizes.get(id) ?? 0
    return bytes > maxBytes && index > 0
  })
  const fitting = over < 0 ? ids : ids.slice(0, over)
  const roots = new Map((await store.findAll(db, fitting)).map((row) => [row.id, row]))
  const inOrder = fitting.flatMap((id) => roots.get(id) ?? [])
  return threadsOf([...inOrder, ...(await store.listReplies(db, fitting))])
}

/** Comments and replies of any pages: threads that have no replies but those asked for. */
async function readWithParents(db: Db, ids: readonly string[]): Promise<Thread[]> {
  const rows = await store.findAll(db, ids)
  const rowIds = new Set(rows.map(({ id }) => id))
  const parentIds = rows.flatMap(({ parent_id: id }) => (id === null || rowIds.has(id) ? [] : id))
  const parents = await store.findAll(db, [...new Set(parentIds)])
  const isRoot = (row: store.CommentRow) => row.parent_id === null
  const replies = rows.filter((row) => !isRoot(row) && row.is_deleted === 0)
  return threadsOf([...parents, ...rows.filter(isRoot), ...replies])
}

/** Threads as viewers see them, without any member that the contract does not name. */
function jsonOf(threads: readonly Thread[]): JsonText {
  const items = threads.map(toViewers)
  return new JsonText(
    JSON.stringify(items.map((item) => ('is_gone' in item ? item : viewersComment.parse(item)))),
  )
}
