import { type InfiniteData, useQueryClient } from '@tanstack/preact-query'
import { useCallback, useMemo } from 'preact/compat'
import { api, messageOf } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'
import { type Entry, type InboxPart, inboxCountQuery } from './queries.ts'

type Mark = { is_read: boolean } | { is_done: boolean }
const ENTRIES = ['inbox', 'entries']

/** Marks entries as read or done: shown at once, and read again where the server refuses it. */
export function useMarks() {
  const client = useQueryClient()
  const mark = useCallback(
    async ({ id, at }: Pick<Entry, 'id' | 'at'>, said: Mark) => {
      await client.cancelQueries({ queryKey: ENTRIES })
      client.setQueriesData<InfiniteData<InboxPart>>(
        { queryKey: ENTRIES },
        (data) => data && { ...data, pages: data.pages.map((part) => marked(part, id, said)) },
      )
      try {
        // What came since the owner saw it stays as it is.
        const { data } = await api.markInbox({ ids: [id], until: at, ...said })
        client.setQueryData(inboxCountQuery.queryKey, data.unread)
        if (data.ids.length === 0) throw new Error('Something new came: look again.')
      } catch (err) {
        showError(messageOf(err))
        await client.invalidateQueries({ queryKey: ['inbox'] })
      }
    },
    [client],
  )
  return useMemo(
    () => ({
      setRead: (entry: Entry, isRead: boolean) => void mark(entry, { is_read: isRead }),
      async setDone(entry: Entry, isDone: boolean): Promise<void> {
        await mark(entry, { is_done: isDone })
        const undo = async () => {
          await mark(entry, { is_done: !isDone })
          await client.invalidateQueries({ queryKey: ['inbox'] })
        }
        showToast(isDone ? 'Done' : 'Back in the inbox', { undo: () => void undo() })
        await client.invalidateQueries({ queryKey: ['inbox'] })
      },
    }),
    [client, mark],
  )
}

/** What is done leaves its list, and so does what is taken back. */
function marked(part: InboxPart, id: string, said: Mark): InboxPart {
  const items = part.items.flatMap((entry) => {
    if (entry.id !== id) return [entry]
    return 'is_done' in said ? [] : [{ ...entry, ...said }]
  })
  return { ...part, items }
}
