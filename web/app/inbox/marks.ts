import type { InfiniteData, Query } from '@tanstack/preact-query'
import { api, messageOf, queryClient } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { type Entry, type InboxPart, inboxCountQuery } from './queries.ts'

type Mark = { is_read: boolean } | { is_done: boolean }
const ENTRIES = ['inbox', 'entries']

export function setRead(entry: Entry, isRead: boolean): void {
  void mark(entry, { is_read: isRead })
}

export async function setDone(entry: Entry, isDone: boolean): Promise<void> {
  const undo = () => void mark(entry, { is_done: !isDone })
  if (!(await mark(entry, { is_done: isDone }))) return
  showToast(isDone ? 'Done' : 'Back in the inbox', { undo })
}

/** Shows the mark at once, and is false where the server refuses it: then all is read again. */
async function mark({ id, at }: Entry, change: Mark): Promise<boolean> {
  // An entry that is loaded alone, as it was chosen, is not there before it has been loaded.
  const isLoaded = ({ state }: Query) => state.data !== undefined
  await queryClient.cancelQueries({ queryKey: ENTRIES, predicate: isLoaded })
  queryClient.setQueriesData<InfiniteData<InboxPart>>(
    { queryKey: ENTRIES },
    (data) => data && { ...data, pages: data.pages.map((part) => withMark(part, id, change)) },
  )
  let isMarked = false
  try {
    // What came since the owner saw it stays as it is.
    const { data } = await api.markInbox({ ids: [id], until: at, ...change })
    queryClient.setQueryData(inboxCountQuery.queryKey, data.unread)
    isMarked = data.ids.length > 0
    if (!isMarked) showError('Something new came: look again.')
  } catch (err) {
    showError(messageOf(err))
  }
  const isRead = isMarked && 'is_read' in change
  if (!isRead) void queryClient.invalidateQueries({ queryKey: ['inbox'] })
  return isMarked
}

/** What is done leaves its list, and so does what is taken back. */
function withMark(part: InboxPart, id: string, change: Mark): InboxPart {
  const items = part.items.flatMap((entry) => {
    if (entry.id !== id) return [entry]
    return 'is_done' in change ? [] : [{ ...entry, ...change }]
  })
  return { ...part, items }
}
