import type {
  OwnersComment,
  ParsedThread,
  ViewersComment,
} from '../../../src/features/comments/contract.ts'

type ViewersReply = ViewersComment['replies'][number]

/** A comment as the panel shows it. The owner is shown hidden ones, too. */
export type Shown = ViewersReply & { is_hidden?: boolean }
export type Thread = Shown & { replies: Shown[] }

/** The threads that the panel has, oldest first, and what this viewer may change of them. */
export function createThreadState() {
  let threads = new Map<string, Thread>()
  let known: number | null = null
  let earlier: string | null = null
  let own = new Map<string, number>()

  /** A thread that is older than those already read is added to them. */
  function isBeforeFirst(thread: Thread): boolean {
    const first = earlier === null ? undefined : threads.values().next().value
    return first !== undefined && thread.created_at < first.created_at
  }

  function merge(changed: ParsedThread['threads']): void {
    for (const thread of changed) {
      if ('is_gone' in thread) threads.delete(thread.id)
      else if (threads.has(thread.id) || !isBeforeFirst(thread)) threads.set(thread.id, thread)
    }
  }

  return {
    known: () => known,
    earlier: () => earlier,
    all: (): Thread[] => [...threads.values()],
    /** Until when the viewer may change it, in milliseconds since the epoch; 0 if not at all. */
    editableUntilMs: (id: string): number => own.get(id) ?? 0,
    /** @returns whether anything has changed that is shown */
    accept(answer: ParsedThread): boolean {
      const isSame = answer.revision === known && answer.own.length === own.size
      own = new Map(answer.own.map((each) => [each.id, Date.parse(each.editable_until)]))
      known = answer.revision
      if (isSame && !answer.is_whole) return false
      if (answer.is_whole) {
        threads = new Map()
        earlier = answer.earlier
      }
      merge(answer.threads)
      return true
    },
    acceptEarlier(answer: ParsedThread): void {
      const later = threads
      threads = new Map()
      earlier = null
      merge(answer.threads)
      for (const [id, thread] of later) threads.set(id, thread)
      earlier = answer.earlier
    },
    /** Threads with something hidden, as their owner sees them, in the place of viewers' ones. */
    acceptHidden(hidden: readonly OwnersComment[]): void {
      for (const thread of hidden)
        threads.set(thread.id, { ...toShown(thread), replies: thread.replies.map(toShown) })
      const inOrder = [...threads].sort(([, a], [, b]) => (a.created_at < b.created_at ? -1 : 1))
      threads = new Map(inOrder)
    },
  }
}
export type ThreadState = ReturnType<typeof createThreadState>

function toShown(comment: OwnersComment['replies'][number]): Shown {
  const isDeleted = comment.body === ''
  return { ...comment, placeholder: isDeleted ? 'deleted' : null }
}
