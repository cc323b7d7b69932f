import type { Page } from '../../model/page/index.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import { isForeignKeyViolation } from '../../platform/db/errors.ts'
import type { Database } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Places, WrittenOn } from './places.ts'
import { commentNotFound } from './rules.ts'
import * as store from './store.ts'
import { type Author, WriteConflict, type WriteDeps, writeComment } from './write-comment.ts'

/**
 * An attempt conflicts only if the same submission is stored and then deleted before it is read.
 */
const MAX_ATTEMPTS = 3

/** A comment as it was received, with cleaned text. */
export interface NewComment {
  author: Author
  /** Other keys of the author, such as that of the browser before an address was confirmed. */
  formerKeys: readonly string[]
  submissionId: string
  body: string
  parentId: string | null
  writtenOn: WrittenOn
}

interface PostDeps extends WriteDeps {
  database: Database
  space: ContentSpace
  findPlace: Places
}

/** The page was deleted during the transaction. */
export class PageGone extends Error {}

/** Stores comments. A repeated request gets the stored comment and changes nothing. */
export function createPost({ database, space, findPlace, ...deps }: PostDeps) {
  async function findSent(page: Page, submissionId: string, keys: Iterable<string>) {
    for (const key of keys) {
      const sent = { page_id: page.id, author_key: key, submission_id: submissionId }
      const row = await store.findSubmission(database.read, sent)
      if (row !== undefined) return row
    }
    return undefined
  }

  /** @throws PageGone, or Refusal `comments_full`, `comment_not_found`, `comment_is_reply` … */
  return async (page: Page, comment: NewComment): Promise<store.CommentRow> => {
    const { author, formerKeys, submissionId, body, parentId, writtenOn } = comment
    if (parentId !== null && !isId('cmt', parentId)) throw commentNotFound('parent_id')
    // The table refuses a second comment with the author's key, but does not know the other keys.
    const others = formerKeys.filter((key) => key !== author.key)
    const sentBefore = others.length > 0 && (await findSent(page, submissionId, others))
    if (sentBefore) return sentBefore
    for (let attempt = 1; ; attempt++) {
      try {
        const place = await findPlace(page, writtenOn)
        const draft = { page, author, submissionId, body, parentId, place }
        space.assertFits(Buffer.byteLength(body))
        return await database.write((tx) => writeComment(tx, draft, deps))
      } catch (err) {
        if (isForeignKeyViolation(err)) throw new PageGone()
        // A repeated request is not refused, even if a new one would be now.
        const sent = await findSent(page, submissionId, [author.key])
        if (sent !== undefined) return sent
        if (!(err instanceof WriteConflict) || attempt === MAX_ATTEMPTS) throw err
      }
    }
  }
}
