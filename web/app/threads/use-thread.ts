import { useMutation, useMutationState } from '@tanstack/preact-query'
import { api, type Input, messageOf, readAgain, readParts } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { isDelivered, writeReplyDraft } from './drafts.ts'
import { type Action, afterAction, type Thread } from './model.ts'

const AT_ONCE = 100

/**
 * A thread with what is being done to it, shown as if it had succeeded. What the server refuses is
 * shown as it was, with a message.
 */
export function useThread(pageId: string, thread: Thread) {
  const mutationKey = ['thread', thread.id]
  const pending = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Action,
  })
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (action: Action) => run(pageId, thread.id, action),
    onError: (err, action) => {
      if (action.kind !== 'reply') return showError(messageOf(err))
      const { body: text, key, sentAfter } = action
      writeReplyDraft(thread.id, { text, key, problem: messageOf(err), sentAfter })
    },
    onSuccess: (_, action) => {
      if (action.kind === 'reply') writeReplyDraft(thread.id, null)
      // It leaves the list of what is open.
      if (action.kind !== 'change' || action.change.state !== 'resolved') return
      showToast('Resolved', { undo: () => mutate({ ...action, change: { state: 'open' } }) })
    },
    // The action counts as under way until its result has been read.
    onSettled: () => refreshThreads(pageId),
  })
  return {
    current: pending.reduce(afterAction, thread as Thread | null),
    repliesUnderWay: pending.flatMap((action) => {
      if (action.kind !== 'reply') return []
      const { body: text, sentAfter } = action
      // The thread may have been read since the server took it.
      return isDelivered(thread, { text, sentAfter }) ? [] : [text]
    }),
    act: mutate,
  }
}

async function run(pageId: string, threadId: string, action: Action): Promise<void> {
  const { kind } = action
  if (kind === 'reply') {
    const { body, key } = action
    const reply = { id: pageId, parent_id: threadId, body }
    await api.createComment(reply, { idempotency_key: key })
  } else if (kind === 'delete') {
    await api.deleteComment({ id: pageId, comment_id: action.commentId })
  } else {
    await api.updateComment({ id: pageId, comment_id: action.commentId, ...action.change })
  }
}

/** Reads again what shows threads of the page: its tab, the inbox and the counts. */
async function refreshThreads(pageId: string): Promise<void> {
  void readAgain([['pages']])
  await readAgain([['threads', pageId], ['inbox']])
}

export type ThreadState = NonNullable<Input<'listComments'>['state']>

/** Threads of a page, the newest first. New ones come by themselves. */
export function threadsQuery(pageId: string, state: ThreadState) {
  const input = { id: pageId, state, order: 'newest', limit: AT_ONCE } as const
  const part = (offset: number) => api.listComments({ ...input, offset })
  return readParts(['threads', pageId, state], part, 10_000)
}
