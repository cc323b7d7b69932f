import type { Account } from '../../model/account.ts'
import { EDIT_MINUTES } from '../../model/comment.ts'
import type { Conversation } from '../../model/conversation.ts'
import { refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import type { Page } from '../../model/page/index.ts'
import { assertOwnName } from '../../model/reserved-names.ts'
import type { PageSource, Participant } from '../../model/viewer.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { InboxRows } from '../../platform/db/inbox-rows.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { Content } from '../content/index.ts'
import type { RecordEvent } from '../events/index.ts'
import type { Versions } from '../versions/index.ts'
import { createAnchorStates, type RefreshAnchorStates } from './anchor-states.ts'
import { createAnchors } from './anchors/index.ts'
import { createChanges } from './change-comments.ts'
import type {
  EditInput,
  OwnComment,
  OwnersComment,
  PostInput,
  ThreadInput,
  ThreadOutput,
  Written,
} from './contract.ts'
import { createListComments, readThreads } from './list-comments.ts'
import { createModeration, type Moderation } from './moderation.ts'
import { createPlaces } from './places.ts'
import { createPost, PageGone } from './post-comment.ts'
import {
  assertOn,
  cleanBody,
  cleanName,
  editableUntilMs,
  OWNER_KEY,
  type Thread,
  toOwner,
  viewersComment,
} from './rules.ts'
import * as store from './store.ts'
import { createThreadCache } from './thread-cache.ts'
import type { Author } from './write-comment.ts'

/** The operations of viewers. The access rule has admitted each participant. */
export interface Comments extends Moderation, OpenThreads {
  /** @throws Refusal `comments_off` */
  read(page: Page, participant: Participant, input: ThreadInput): Promise<ThreadOutput>
  /** A repeated request gets the comment that was stored before. @throws Refusal */
  post(request: ParticipantRequest, input: PostInput): Promise<Written>
  /** @throws Refusal `comment_not_found`, `edit_time_over` */
  edit(page: Page, participant: Participant, input: EditInput): Promise<Written>
  withdraw(page: Page, participant: Participant, commentId: string): Promise<void>
  /** The number of comments and replies that viewers of the page see. */
  count(pageId: string): Promise<number>
  /**
   * The number of open threads of each page that are not hidden; pages without any are left out.
   */
  countOpen(pageIds: readonly string[]): Promise<Map<string, number>>
}

interface ParticipantRequest {
  page: Page
  participant: Participant
  source: PageSource
}

export interface CommentDeps {
  database: Database
  space: ContentSpace
  clock: Clock
  content: Content
  versions: Versions
  findAccount(id: string): Promise<Account | null>
  /** Called in the transaction that stores a comment. */
  recordEvent: RecordEvent
}

export function createComments(deps: CommentDeps): Comments {
  const { database, space, clock, content, versions, findAccount, recordEvent } = deps
  const anchors = createAnchors({ content, versions })
  const refreshAnchorStates = createAnchorStates({ database, anchors })
  const findPlace = createPlaces({ content, versions, anchors })
  const post = createPost({ database, space, clock, recordEvent, findPlace })
  const changes = createChanges({ database, space, clock })
  const list = createListComments({ database, refreshAnchorStates })
  const readThreads = createThreadCache({ database, refreshAnchorStates })

  async function authorOf(
    page: Page,
    { kind, email, key, alias }: Participant,
    name: string | null,
  ): Promise<Author> {
    if (kind !== 'owner') return { kind, key, email, name, alias }
    const account = await findAccount(page.account_id)
    return { kind, key: OWNER_KEY, email, name: name ?? account?.name ?? null, alias: null }
  }

  /** The name that a participant may be shown by. @throws Refusal */
  async function nameOf(
    page: Page,
    kind: Participant['kind'],
    given: string | null | undefined,
  ): Promise<string | null> {
    const name = cleanName(given)
    if (name === null || kind === 'owner') return name
    const account = await findAccount(page.account_id)
    assertOwnName(name, { isConfirmed: kind === 'confirmed', ownerName: account?.name ?? null })
    return name
  }

  async function listOwn(page: Page, participant: Participant): Promise<OwnComment[]> {
    const after = clock.after(-EDIT_MINUTES * 60_000)
    const own: OwnComment[] = []
    for (const key of keysOf(participant)) {
      const rows = await store.listOwn(database.read, { pageId: page.id, key, after })
      own.push(...rows.map((row) => ({ id: row.id, editable_until: untilOf(row) })))
    }
    return own
  }

  return {
    ...createModeration({ database, post, changes, list }),
    ...createOpenThreads(refreshAnchorStates),
    async read(page, participant, { known = null, before = null }) {
      assertOn(page)
      const { threads, ...answer } = await readThreads(page, { known, before })
      return {
        ...answer,
        threads: new JsonText(threads),
        own: await listOwn(page, participant),
        requires_email: page.settings.comments_require_email,
      }
    },
    async post({ page, participant, source }, input) {
      assertOn(page)
      assertMayWrite(page, participant)
      const { id: submissionId, parent_id: parentId = null, anchor = null } = input
      const name = await nameOf(page, participant.kind, input.name)
      const path = input.path ?? source.path
      const posting = post(page, {
        author: await authorOf(page, participant, name),
        formerKeys: [participant.deviceKey],
        submissionId,
        body: cleanBody(input.body),
        parentId,
        writtenOn: { manifestId: source.manifestId, path, anchor },
      })
      const row = await posting.catch(throwGone)
      return { comment: viewersComment(row), editable_until: untilOf(row) }
    },
    async edit(page, participant, { comment_id: id, body, name }) {
      assertOn(page)
      const own = { id, keys: keysOf(participant) }
      // The comment may be from before the address was confirmed.
      const kind = participant.kind === 'owner' ? 'owner' : 'anonymous'
      const row = await changes.editOwn(page.id, own, {
        body: cleanBody(body),
        name: await nameOf(page, kind, name),
      })
      return { comment: viewersComment(row), editable_until: untilOf(row) }
    },
    async withdraw(page, participant, id) {
      assertOn(page)
      await changes.withdraw(page.id, { id, keys: keysOf(participant) })
    },
    count: (pageId) => store.countVisible(database.read, pageId),
    countOpen: (pageIds) => store.countOpenThreads(database.read, pageIds),
  }
}

/** Confirming an address after a comment was written does not change its author. */
function keysOf({ kind, key, deviceKey }: Participant): string[] {
  return [...new Set([kind === 'owner' ? OWNER_KEY : key, deviceKey])]
}

function untilOf(row: Pick<store.CommentRow, 'created_at'>): string {
  return timestampOf(Math.floor(editableUntilMs(row) * 1000))
}

/** @throws Refusal `email_required` */
function assertMayWrite({ settings }: Page, { kind }: Participant): void {
  if (!settings.comments_require_email || kind !== 'anonymous') return
  throw refuse.forbidden('email_required', 'Confirm your email address to comment on this page.')
}

function throwGone(err: unknown): never {
  throw err instanceof PageGone ? refuse.notFound('gone', 'This page is no longer there.') : err
}

/** The comments of a page, for the panel. */
export function commentConversation(comments: Pick<Comments, 'count'>): Conversation {
  return {
    id: 'comments',
    isOn: ({ settings }) => settings.allow_comments,
    count: ({ id }) => comments.count(id),
  }
}

/** Open threads of several pages, for their owner. */
interface OpenThreads {
  /** Open threads that are not hidden, by the time of their newest comment or reply. */
  openThreads: InboxRows
  /** Reads threads with their replies: the first ones that fit into an answer, at least one. */
  readThreads(db: Db, ids: readonly string[]): Promise<Thread[]>
  /** Threads of the pages in the form of `listComments`, by id. */
  presentThreads(
    pages: readonly Page[],
    threads: readonly Thread[],
  ): Promise<Map<string, OwnersComment>>
}

function createOpenThreads(refreshAnchorStates: RefreshAnchorStates): OpenThreads {
  return {
    openThreads: store.openThreads,
    readThreads,
    async presentThreads(pages, threads) {
      for (const page of pages) {
        const own = threads.filter(({ root }) => root.page_id === page.id)
        const rows = own.flatMap(({ root, replies }) => [root, ...replies])
        await refreshAnchorStates(page, rows)
      }
      return new Map(threads.map((thread) => [thread.root.id, toOwner(thread)]))
    },
  }
}
