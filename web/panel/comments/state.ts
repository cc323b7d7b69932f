import type {
  OwnersComment,
  ParsedThread,
  ViewersComment,
} from '../../../src/features/comments/contract.ts'

type ViewersReply = ViewersComment['replies'][number]

/** A comment of the panel. The owner is shown hidden ones, too. */
export type Comment = ViewersReply & { is_hidden?: boolean }
export type Thread = Comment & { replies: Comment[] }

/** The threads that the panel has, oldest first, and what this viewer may do with them. */
export class ThreadState {
  /** Of the answer that was read last. */
  revision: number | null = null
  /** Where threads begin that are older than those that were read; null where there are none. */
  earlier: string | null = null
  requiresEmail = false
  isOff = false
  private threads = new Map<string, Thread>()
  private own: ParsedThread['own'] = []

  all(): Thread[] {
    return this.isOff ? [] : [...this.threads.values()]
  }

  /** Whether the viewer may still change it. */
  isEditable(id: string): boolean {
    const until = this.own.find((each) => each.id === id)?.editable_until
    return until !== undefined && Date.parse(until) > Date.now()
  }

  /** @returns whether anything has changed that is shown */
  accept(answer: ParsedThread): boolean {
    const isSame = answer.revision === this.revision && answer.own.length === this.own.length
    const wasOff = this.isOff
    this.isOff = false
    this.own = answer.own
    this.revision = answer.revision
    this.requiresEmail = answer.requires_email
    if (isSame && !answer.is_whole) return wasOff
    if (answer.is_whole) {
      this.threads = new Map()
      this.earlier = answer.earlier
    }
    for (const thread of answer.threads) {
      if ('is_gone' in thread) this.threads.delete(thread.id)
      else if (this.threads.has(thread.id) || !this.isBeforeFirst(thread)) {
        this.threads.set(thread.id, thread)
      }
    }
    return true
  }

  /** Such a thread comes with the earlier ones. */
  private isBeforeFirst(thread: Thread): boolean {
    const first = this.earlier === null ? undefined : this.threads.values().next().value
    return first !== undefined && thread.created_at < first.created_at
  }

  acceptEarlier({ threads, earlier }: ParsedThread): void {
    const before = threads.flatMap((one) => ('is_gone' in one ? [] : [[one.id, one] as const]))
    this.threads = new Map([...before, ...this.threads])
    this.earlier = earlier
  }

  /** Threads with something hidden, as their owner sees them, in the place of viewers' ones. */
  acceptHidden(hidden: readonly OwnersComment[]): void {
    for (const thread of hidden) {
      const replies = thread.replies.map(withPlaceholder)
      this.threads.set(thread.id, { ...withPlaceholder(thread), replies })
    }
    const inOrder = [...this.threads].sort(([, a], [, b]) => (a.created_at < b.created_at ? -1 : 1))
    this.threads = new Map(inOrder)
  }
}

function withPlaceholder(comment: OwnersComment['replies'][number]): Comment {
  return { ...comment, placeholder: comment.body === '' ? 'deleted' : null }
}
