import { idempotencyKeyReused, refuse } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { createChanges } from './change-comments.ts'
import type { CommentChange, CommentQuery, CreateInput, OwnersComment } from './contract.ts'
import type { CommentList } from './list-comments.ts'
import { type createPost, PageGone } from './post-comment.ts'
import { assertOn, OWNER_KEY, toOwner } from './rules.ts'
import * as store from './store.ts'

/** The operations of a page's owner on its comments. */
export interface Moderation {
  list(page: Page, query: CommentQuery): Promise<CommentList>
  /**
   * A repeated request with the same `Idempotency-Key` gets the comment that was stored before.
   * @throws Refusal `comments_off`, `comment_not_found`, `idempotency_key_reused` …
   */
  create(request: Subjects['owner'], input: CreateInput): Promise<OwnersComment>
  /** @throws Refusal `comment_not_found`, `comment_is_reply`, `not_your_comment` */
  update(page: Page, commentId: string, change: CommentChange): Promise<OwnersComment>
  /** All or none. @throws Refusal `comment_not_found`, `comment_is_reply` */
  setStates(page: Page, ids: readonly string[], state: 'open' | 'resolved'): Promise<void>
  /** @throws Refusal `comment_not_found` */
  remove(page: Page, commentId: string): Promise<void>
}

interface ModerationDeps {
  database: Database
  post: ReturnType<typeof createPost>
  changes: ReturnType<typeof createChanges>
  list: Moderation['list']
}

export function createModeration({ database, post, changes, list }: ModerationDeps): Moderation {
  /** A comment with its replies. A reply has the state of its parent. */
  async function present(row: store.CommentRow): Promise<OwnersComment> {
    const { page_id, parent_id } = row
    const replies = await store.listReplies(database.read, [row.id])
    const parent = parent_id === null ? row : await store.find(database.read, page_id, parent_id)
    const { state, addressed_in } = parent ?? row
    return toOwner({ root: { ...row, state, addressed_in }, replies })
  }

  return {
    list,
    async create({ account, page, context }, input) {
      assertOn(page)
      const { email, name } = account
      const { body, parent_id, path, anchor = null } = input
      const { idempotency } = context
      const posting = post(page, {
        author: { kind: 'owner', key: OWNER_KEY, email, name, alias: null },
        formerKeys: [],
        submissionId: idempotency === null ? newId('sub') : `key_${sha256(idempotency.key)}`,
        body,
        parentId: parent_id ?? null,
        writtenOn: { manifestId: null, path: path ?? null, anchor },
      })
      const row = await posting.catch(throwPageNotFound)
      if (!isOf(row, input)) throw idempotencyKeyReused()
      return present(row)
    },
    update: async (page, id, change) => present(await changes.update(page.id, id, change)),
    setStates: (page, ids, state) => changes.setStates(page.id, ids, state),
    remove: (page, id) => changes.remove(page.id, id),
  }
}

/** Whether this input wrote the comment, and not an earlier one with the same idempotency key. */
function isOf(row: store.CommentRow, { body, parent_id }: CreateInput): boolean {
  const isChanged = row.edited_at !== null || row.is_deleted === 1
  return row.parent_id === (parent_id ?? null) && (isChanged || row.body === body)
}

function throwPageNotFound(err: unknown): never {
  if (!(err instanceof PageGone)) throw err
  throw refuse.notFound('page_not_found', 'There is no such page in this account.')
}
