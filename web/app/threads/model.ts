import type { Output } from '../../../src/client/index.ts'

export type Thread = Output<'listComments'>['data'][number]
export type Comment = Thread['replies'][number]

/** What a thread needs to know of its page. */
export interface ThreadPage {
  id: string
  title: string | null
  slug: string
  url: string
  allow_comments: boolean
}

/** What the owner does in a thread. */
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
export interface CommentChange {
  state?: 'open' | 'resolved'
  is_hidden?: boolean
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
  const replies = thread.replies.map((reply) =>
    reply.id === commentId ? { ...reply, ...change } : reply,
  )
  return { ...thread, replies }
}

/** Whether its author deleted the text and the place stays for the replies. */
export function isErased({ body }: Comment): boolean {
  return body === ''
}

export interface ShownPassage {
  /** Words of the page; empty where it is a spot. */
  quote: string
  /** Where it is, or what became of it. */
  notes: string[]
  /** The words are not in the page any more. */
  isGone: boolean
}

const SPOT = 'A spot on the image'

/** What a thread is about, in words; null for the whole page. */
export function passageOf({
  anchor,
  anchor_state: state,
  path,
  version_no: version,
}: Comment): ShownPassage | null {
  const file = path === '' ? [] : [`In ${path}`]
  if (anchor === null) return path === '' ? null : { quote: '', notes: file, isGone: false }
  const isGone = state === 'outdated'
  const fate = isGone ? [`The text changed since version ${version}`] : []
  if (anchor.quote !== undefined) {
    const quote = anchor.quote.trim() || (anchor.element?.text ?? '')
    return { quote, notes: [...file, ...fate], isGone }
  }
  const spot = anchor.sheet === undefined ? SPOT : `Sheet ${anchor.sheet}`
  const changed = isGone ? [`The page changed since version ${version}`] : []
  return { quote: anchor.element?.text ?? '', notes: [...file, spot, ...changed], isGone }
}
