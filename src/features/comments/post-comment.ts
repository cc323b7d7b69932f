import { type Anchor, isSheetAnchor } from '../../model/anchor.ts'
import { MAX_COMMENTS, MAX_REPLIES } from '../../model/comment-limits.ts'
import { refuse } from '../../model/errors.ts'
import { count } from '../../model/numbers.ts'
import { isOpenToAll, type Page } from '../../model/page/index.ts'
import { timestampOf } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { Content, ManifestFile } from '../content/index.ts'
import type { CommentAuthor, RecordEvent } from '../events/index.ts'
import type { Versions } from '../versions/index.ts'
import { fileAt, fits, type Locate, type Located, NO_PLACES } from './anchors/index.ts'
import { commentNotFound, isReply, passageOf, placeOf } from './rules.ts'
import * as store from './store.ts'

/** A comment as it was received, with cleaned text. */
export interface NewComment {
  author: CommentAuthor
  /** Other keys of the author, such as that of the browser before an address was confirmed. */
  formerKeys: readonly string[]
  submissionId: string
  body: string
  parentId: string | null
  /** The parameter that named the parent, for errors. */
  parentParam: string
  /** The named link by which its author came. */
  linkId?: string | null | undefined
}

/** The content that the author of a comment had open, and the passage that it is about. */
export interface WrittenOn {
  /** The content that was open; null if unknown: then the published content is used. */
  manifestId: string | null
  /** The file of a deck; null for its entry. */
  path: string | null
  anchor: Anchor | null
}

interface PostDeps extends Pick<Services, 'database' | 'clock' | 'space'> {
  recordEvent: RecordEvent
  content: Pick<Content, 'getManifest' | 'sheetsOf'>
  versions: Pick<Versions, 'numberOf'>
  locate: Locate
}

/**
 * Returns a function that stores comments: all of them, or none. A repeated request gets the stored
 * comments and changes nothing.
 *
 * @throws Refusal `comments_full`, `comment_not_found`, `comment_is_reply` …; a foreign key
 *   violation if the page is deleted
 */
export function createPost(deps: PostDeps) {
  const { database, space } = deps
  const findPlace = createPlaces(deps)
  return async (
    page: Page,
    writtenOn: WrittenOn,
    comments: readonly NewComment[],
  ): Promise<store.CommentRow[]> => {
    for (const { parentId, parentParam } of comments) {
      if (parentId !== null && !isId('cmt', parentId)) throw commentNotFound(parentParam)
    }
    // A repeated request is not refused, even if a new one would be now.
    const sentBefore = await findSent(database.read, page, comments)
    if (sentBefore !== null) return sentBefore
    const place = await findPlace(page, writtenOn)
    space.assertFits(comments.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0))
    return database.write(async (tx) => {
      await store.lockCounter(tx, [page.id])
      const sentMeanwhile = await findSent(tx, page, comments)
      if (sentMeanwhile !== null) return sentMeanwhile
      const rows: store.CommentRow[] = []
      for (const comment of comments) rows.push(await write(deps, tx, { page, comment, place }))
      return rows
    })
  }
}

/** The stored comments of a request that is repeated; null if one of them is not stored. */
async function findSent(
  db: Db,
  page: Page,
  comments: readonly NewComment[],
): Promise<store.CommentRow[] | null> {
  const rows: store.CommentRow[] = []
  for (const { author, formerKeys, submissionId } of comments) {
    let row: store.CommentRow | undefined
    for (const key of [author.key, ...formerKeys]) {
      row ??= await store.findSubmission(db, [page.id, key, submissionId])
    }
    if (row === undefined) return null
    rows.push(row)
  }
  return rows
}

async function findParent(tx: Tx, page: Page, comment: NewComment) {
  const { author, parentId: id, parentParam } = comment
  if (id === null) return null
  const parent = await store.find(tx, [page.id, id])
  const isThere = parent?.is_deleted === 0 && (parent.is_hidden === 0 || author.kind === 'owner')
  if (parent === undefined || !isThere) throw commentNotFound(parentParam)
  if (parent.parent_id !== null) throw isReply(parentParam)
  if ((await store.countReplies(tx, [id])) >= MAX_REPLIES) {
    const most = MAX_REPLIES.toLocaleString('en')
    const text = `This comment has ${most} replies, as many as it can hold: start another one.`
    throw refuse.conflict('comments_full', text, { limit: MAX_REPLIES })
  }
  return parent
}

/**
 * Stores a comment, within the bounds of its page and thread.
 *
 * @throws Refusal `comments_full`, `comment_not_found`, `comment_is_reply`
 */
async function write(
  { clock, recordEvent }: PostDeps,
  tx: Tx,
  { page, comment, place }: { page: Page; comment: NewComment; place: Place },
) {
  const { author } = comment
  const nowMs = clock.ms()
  const stamp = await store.reserve(tx, [Math.floor(nowMs * 1000), page.id, MAX_COMMENTS])
  if (stamp === undefined) {
    const most = MAX_COMMENTS.toLocaleString('en')
    const text = `This page has ${most} comments, as many as it can hold: tell its owner.`
    throw refuse.conflict('comments_full', text, { limit: MAX_COMMENTS })
  }
  const parent = await findParent(tx, page, comment)
  const row = rowOf(page, comment, place, { stamp, nowMs })
  await store.insertAll(tx, [row])
  const threadId = parent?.id ?? row.id
  const isOpen = isOpenToAll(page.settings)
  await recordEvent(tx, {
    kind: parent === null ? 'comment' : 'reply',
    pageId: page.id,
    notifyOwner: page.settings.notify_on_comment && author.kind !== 'owner',
    accountId: page.account_id,
    at: row.created_at,
    objectId: row.id,
    itemId: threadId,
    isOwn: author.kind === 'owner',
    place: placeOf(parent ?? row),
    threadId,
    author,
    linkId: comment.linkId,
    body: isOpen ? row.body : null,
    passage: isOpen ? passageOf(parent ?? row) : null,
  })
  return row
}

function rowOf(
  page: Page,
  { author, submissionId, body, parentId }: NewComment,
  place: Place,
  { stamp, nowMs }: { stamp: store.Stamp; nowMs: number },
): store.CommentRow {
  return {
    id: newId('cmt', nowMs),
    page_id: page.id,
    parent_id: parentId,
    author_kind: author.kind,
    author_key: author.key,
    author_email: author.email,
    name: author.name ?? author.alias,
    submission_id: submissionId,
    body,
    path: place.path,
    version_no: place.versionNo,
    file_hash: place.fileHash,
    anchor: place.anchor && JSON.stringify(place.anchor),
    anchor_state: place.located.state,
    anchor_places: JSON.stringify(place.located.places),
    anchor_manifest_id: place.shownManifestId,
    state: 'open',
    addressed_in: null,
    addressed_by_draft: null,
    is_hidden: 0,
    is_deleted: 0,
    created_at: timestampOf(stamp.last_us),
    edited_at: null,
    revision: stamp.revision,
    changed_revision: null,
  }
}

/** Where a comment was written: the content that its author had open. */
interface Place {
  path: string
  versionNo: number
  fileHash: string
  anchor: Anchor | null
  located: Located
  /** The content in which the anchor was located. */
  shownManifestId: string
}

/** Finds the version and file that a comment was written on, and checks its anchor there. */
function createPlaces({ content, versions, locate }: PostDeps) {
  /** The version that was open. If it has been pruned, the published one. */
  async function versionOf({ id }: Page, manifestId: string | null, shownId: string) {
    const versionNo = manifestId === null ? null : await versions.numberOf(id, manifestId)
    if (manifestId !== null && versionNo !== null) return { manifestId, versionNo }
    return { manifestId: shownId, versionNo: (await versions.numberOf(id, shownId)) ?? 1 }
  }

  /** @throws Refusal `bad_anchor` */
  async function openFile(page: Page, shownId: string, on: WrittenOn) {
    const { manifestId, versionNo } = await versionOf(page, on.manifestId, shownId)
    const manifest = await content.getManifest(manifestId)
    const isDeck = manifest.kind === 'bundle'
    const path = on.path ?? (isDeck ? manifest.entry : '')
    const file = fileAt(manifest, path)
    if (file === null) throw badAnchor('path', noFile(path, isDeck))
    return { path, file, manifestId, versionNo }
  }

  /** @throws Refusal `bad_anchor` */
  async function assertFits(anchor: Anchor, file: ManifestFile): Promise<void> {
    if (!fits(anchor, file)) throw badAnchor('anchor', WRONG_KIND)
    if (!isSheetAnchor(anchor)) return
    const sheets = await content.sheetsOf(file)
    if (sheets === null || anchor.sheet <= sheets) return
    throw badAnchor('anchor.sheet', `the PDF has ${count(sheets, 'sheet')}.`)
  }

  /** @throws Refusal `bad_anchor` */
  return async (page: Page, writtenOn: WrittenOn): Promise<Place> => {
    const { anchor } = writtenOn
    const shownManifestId = page.published_id ?? page.draft_id
    const { path, file, manifestId, versionNo } = await openFile(page, shownManifestId, writtenOn)
    const { hash: fileHash } = file
    const place = { path, versionNo, fileHash, shownManifestId }
    if (anchor === null) return { ...place, anchor, located: { state: null, places: NO_PLACES } }
    await assertFits(anchor, file)
    const mayTell = page.published_id !== null
    const question = { pageId: page.id, anchor, path, fileHash, mayTell }
    // Located first in the version that was open; from there, edits lead to the published one.
    const written = { ...question, places: NO_PLACES, shownManifestId: manifestId }
    const [inWritten] = await locate([written])
    if (manifestId === shownManifestId) return { ...place, anchor, located: inWritten! }
    const { places } = inWritten!
    const [located] = await locate([{ ...question, places, shownManifestId }])
    return { ...place, anchor, located: located! }
  }
}

const WRONG_KIND =
  'must be words in HTML, a spot on a sheet of a PDF, or a spot on an image; or leave it out.'

function noFile(path: string, isDeck: boolean): string {
  return isDeck ? `the deck has no file ${JSON.stringify(path)}.` : 'names a file of a deck alone.'
}

function badAnchor(param: string, problem: string) {
  return refuse.invalid('bad_anchor', `${param}: ${problem}`, { param })
}
