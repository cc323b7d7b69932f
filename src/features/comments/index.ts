import type { Account } from '../../model/account.ts'
import { EDIT_MINUTES } from '../../model/comment.ts'
import type { Conversation } from '../../model/conversation.ts'
import { idempotencyKeyReused, refuse } from '../../model/errors.ts'
import { operationsOf, type Subjects, visitorOperationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { assertOwnName } from '../../model/reserved-names.ts'
import type { Participant } from '../../model/viewer.ts'
import { timestampOf } from '../../platform/clock.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { Content } from '../content/index.ts'
import type { RecordEvent } from '../events/index.ts'
import type { Versions } from '../versions/index.ts'
import { createLocate } from './anchors/index.ts'
import { createChanges } from './change-comments.ts'
import type {
  CommentChange,
  CreateCommentInput,
  EditCommentInput,
  OwnComment,
  OwnersComment,
  PostInput,
  ReplyInput,
  ThreadInput,
  ThreadOutput,
  Written,
} from './contract.ts'
import * as contract from './contract.ts'
import { createPost, type NewComment, type WrittenOn } from './post-comment.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'
import { createThreads, type Threads } from './threads.ts'

export { createAddressing } from './change-comments.ts'
export { type CommenterMails, createCommenterMails } from './commenter-mails.ts'
export { commentRow, commentsOf, importComments } from './import-comments.ts'
export { countByAddress as countComments } from './store.ts'

interface CommentDeps extends Pick<Services, 'database' | 'space' | 'clock'> {
  content: Content
  versions: Versions
  findAccount(id: string): Promise<Account | null>
  /** Called in the transaction that stores a comment. */
  recordEvent: RecordEvent
}

/** The operations on comments, of a page's owner and of participants whom the rule has admitted. */
export function createComments(deps: CommentDeps) {
  const { database } = deps
  const locate = createLocate(deps)
  const { read, ...threads } = createThreads({ database, locate })
  const post = createPost({ ...deps, locate })
  const parts = { ...deps, read, post, changes: createChanges(deps) }
  return {
    ...threads,
    ...createOwners(parts),
    ...createParticipants(parts),
    /** All that a page has, with replies and hidden ones. */
    countAll: async (pageId: string) => (await store.findCounter(database.read, pageId)).count,
    /** The number of open threads of each page that are not hidden; pages without are left out. */
    countOpen: (pageIds: readonly string[]) => store.countOpenThreads(database.read, pageIds),
  }
}
export type Comments = ReturnType<typeof createComments>

interface Parts extends CommentDeps {
  read: Threads['read']
  post: ReturnType<typeof createPost>
  changes: ReturnType<typeof createChanges>
}

/** What the owner of a page does. */
function createOwners({ database, post, changes }: Parts) {
  async function writeAsOwner(
    { account: { email, name }, page, context: { idempotency } }: Subjects['owner'],
    writtenOn: WrittenOn,
    texts: readonly Pick<NewComment, 'body' | 'parentId' | 'parentParam'>[],
  ): Promise<store.CommentRow[]> {
    rules.assertOn(page)
    const sentId = idempotency === null ? newId('sub') : `key_${sha256(idempotency.key)}`
    const rows = await post(
      page,
      writtenOn,
      texts.map((text, at) => ({
        ...text,
        author: { kind: 'owner', key: rules.OWNER_KEY, email, name, alias: null },
        formerKeys: [],
        submissionId: at === 0 ? sentId : `${sentId}_${at}`,
      })),
    )
    const isSame = rows.every((row, at) => {
      const { body, parentId } = texts[at]!
      const isChanged = row.edited_at !== null || row.is_deleted === 1
      return row.parent_id === parentId && (isChanged || row.body === body)
    })
    if (!isSame) throw idempotencyKeyReused()
    return rows
  }

  /** A comment with its replies, for the owner. A reply has the state of its parent. */
  async function present(row: store.CommentRow): Promise<OwnersComment> {
    const { page_id, parent_id } = row
    const replies = await store.listReplies(database.read, [row.id])
    const parent = parent_id === null ? row : await store.find(database.read, [page_id, parent_id])
    const { state, addressed_in } = parent ?? row
    return rules.toOwner({ root: { ...row, state, addressed_in }, replies })
  }

  return {
    /** As the owner. A retry with the same `Idempotency-Key` gets the comment stored before. */
    async create(subject: Subjects['owner'], input: CreateCommentInput): Promise<OwnersComment> {
      const { body, path = null, anchor = null, parent_id: parentId = null } = input
      const texts = [{ body, parentId, parentParam: 'parent_id' }]
      const [row] = await writeAsOwner(subject, { manifestId: null, path, anchor }, texts)
      return present(row!)
    },
    /** All or none, as the owner. A retry as with `create`. */
    reply: (subject: Subjects['owner'], replies: ReplyInput): Promise<store.CommentRow[]> =>
      writeAsOwner(
        subject,
        { manifestId: null, path: null, anchor: null },
        replies.map(({ comment_id: parentId = null, body }, at) => ({
          body,
          parentId,
          parentParam: `reply_comments.${at}.comment_id`,
        })),
      ),
    /** @throws Refusal `comment_not_found`, `comment_is_reply`, `not_your_comment` */
    update: async (page: Page, id: string, change: CommentChange) =>
      present(await changes.update(page.id, id, change)),
    setStates: changes.setStates,
    remove: changes.remove,
  }
}

/** What viewers do, and the owner among them. */
function createParticipants({ database, clock, findAccount, read, post, changes }: Parts) {
  /** The name that a participant may be shown by. @throws Refusal */
  async function nameOf(page: Page, kind: Participant['kind'], input?: string | null) {
    const name = rules.cleanName(input)
    if (name === null || kind === 'owner') return name
    const account = await findAccount(page.account_id)
    assertOwnName(name, { isConfirmed: kind === 'confirmed', ownerName: account?.name ?? null })
    return name
  }

  async function listOwn(page: Page, participant: Participant): Promise<OwnComment[]> {
    const after = clock.after(-EDIT_MINUTES * 60_000)
    const own: OwnComment[] = []
    for (const key of keysOf(participant)) {
      const rows = await store.listOwn(database.read, [page.id, key, after])
      own.push(...rows.map((row) => ({ id: row.id, editable_until: untilOf(row) })))
    }
    return own
  }

  return {
    /** @throws Refusal `comments_off` */
    async read(page: Page, participant: Participant, input: ThreadInput): Promise<ThreadOutput> {
      rules.assertOn(page)
      return {
        ...(await read(page, input)),
        own: await listOwn(page, participant),
        requires_email: page.settings.comments_require_email,
      }
    },
    /** A repeated request gets the comment that was stored before. @throws Refusal */
    async post(
      { page, participant, source }: Subjects['participant'],
      input: PostInput,
    ): Promise<Written> {
      rules.assertOn(page)
      const { kind, email, key, alias, deviceKey } = participant
      if (page.settings.comments_require_email && kind === 'anonymous') {
        const message = 'Confirm your email address to comment on this page.'
        throw refuse.forbidden('email_required', message)
      }
      const name = await nameOf(page, kind, input.name)
      const isOwner = kind === 'owner'
      const account = isOwner && name === null ? await findAccount(page.account_id) : null
      const writtenOn = {
        manifestId: source.manifestId,
        path: input.path ?? source.path,
        anchor: input.anchor ?? null,
      }
      const comment = {
        author: isOwner
          ? { kind, key: rules.OWNER_KEY, email, name: name ?? account?.name ?? null, alias: null }
          : { kind, key, email, name, alias },
        formerKeys: [deviceKey],
        submissionId: input.id,
        body: rules.cleanBody(input.body),
        parentId: input.parent_id ?? null,
        parentParam: 'parent_id',
        linkId: participant.linkId,
      }
      const [row] = await post(page, writtenOn, [comment])
      return { comment: rules.viewersComment(row!), editable_until: untilOf(row!) }
    },
    /** @throws Refusal `comment_not_found`, `edit_time_over` */
    async edit(page: Page, participant: Participant, input: EditCommentInput): Promise<Written> {
      rules.assertOn(page)
      // The comment may be from before the address was confirmed.
      const kind = participant.kind === 'owner' ? 'owner' : 'anonymous'
      const own = { id: input.comment_id, keys: keysOf(participant) }
      const row = await changes.editOwn(page.id, own, {
        body: rules.cleanBody(input.body),
        name: await nameOf(page, kind, input.name),
      })
      return { comment: rules.viewersComment(row), editable_until: untilOf(row) }
    },
    /** @throws Refusal `comment_not_found`, `edit_time_over` */
    async withdraw(page: Page, participant: Participant, id: string): Promise<void> {
      rules.assertOn(page)
      await changes.withdraw(page.id, { id, keys: keysOf(participant) })
    },
  }
}

/** Confirming an address after a comment was written does not change its author. */
function keysOf({ kind, key, deviceKey }: Participant): string[] {
  return [...new Set([kind === 'owner' ? rules.OWNER_KEY : key, deviceKey])]
}

function untilOf(row: Pick<store.CommentRow, 'created_at'>): string {
  return timestampOf(Math.floor(rules.editableUntilMs(row) * 1000))
}

/** The comments of a page, for the panel. */
export function commentConversation(comments: Pick<Comments, 'countOpen'>): Conversation {
  return {
    id: 'comments',
    isOn: ({ settings }) => settings.allow_comments,
    count: async ({ id }) => (await comments.countOpen([id])).get(id) ?? 0,
  }
}

export function commentOperations(comments: Comments) {
  return operationsOf(contract, {
    listComments: ({ page }, query) => comments.list(page, query),
    createComment: comments.create,
    replyToComments: async (request, { reply_comments: replies }) =>
      (await comments.reply(request, replies)).map((row) => ({
        id: row.id,
        comment_id: row.parent_id,
      })),
    updateComment: ({ page }, { comment_id: id, ...change }) => comments.update(page, id, change),
    resolveComments: async ({ page }, { comment_ids: ids, state }) => {
      await comments.setStates(page.id, ids, state)
      return [...new Set(ids)].map((id) => ({ id, state }))
    },
    deleteComment: ({ page }, { comment_id: id }) => comments.remove(page.id, id),
  })
}

export function commentVisitorOperations(comments: Comments) {
  return visitorOperationsOf(contract, {
    readThread: ({ page, participant }, input) => comments.read(page, participant, input),
    postComment: comments.post,
    editComment: ({ page, participant }, input) => comments.edit(page, participant, input),
    withdrawComment: async ({ page, participant }, { comment_id: id }) => {
      await comments.withdraw(page, participant, id)
      return { id }
    },
  })
}
