import type { Output } from '../../../src/client/index.ts'
import type { CommentChange } from '../../threads/model.ts'
import type { Page } from '../api.ts'

export type Thread = Output<'listComments'>['data'][number]
export type Comment = Thread['replies'][number]

/** What a thread needs to know of its page. */
export type ThreadPage = Pick<Page, 'id' | 'title' | 'slug' | 'url' | 'allow_comments'>

export type Action =
  | { kind: 'change'; commentId: string; change: CommentChange }
  | { kind: 'delete'; commentId: string }
  | {
      kind: 'reply'
      body: string
      key: string
      /** When the newest part of the thread was written as the reply was sent. */
      sentAfter: string
    }

/** The thread as it is once the action has succeeded; null where it is gone. */
export function afterAction(thread: Thread | null, action: Action): Thread | null {
  if (thread === null || action.kind === 'reply') return thread
  const { commentId } = action
  const isRoot = commentId === thread.id
  if (action.kind === 'delete') {
    if (isRoot) return null
    return { ...thread, replies: thread.replies.filter(({ id }) => id !== commentId) }
  }
  const { change } = action
  if (isRoot) return { ...thread, ...change }
  const replies = thread.replies.map((one) => (one.id === commentId ? { ...one, ...change } : one))
  return { ...thread, replies }
}
