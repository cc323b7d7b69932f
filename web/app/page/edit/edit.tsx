import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../boot.ts'
import { Pending } from '../../ui/states.tsx'
import { EditScreen } from './edit-screen.tsx'
import { createEditSession, readDraft } from './session.ts'
import { createUnsavedStore, tabId } from './unsaved.ts'

/** The draft’s HTML in an editor, with the files of a deck and a live preview. */
export default function EditTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['draft', page.id],
    queryFn: () => readDraft(page.id),
    // Each visit reads it anew; within one, the session follows what changes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error || data === undefined) return <Pending error={error} onRetry={refetch} rows={10} />
  return <Loaded page={page} read={data} />
}

function Loaded({ page, read }: { page: Page; read: Awaited<ReturnType<typeof readDraft>> }) {
  const client = useQueryClient()
  const [session] = useState(() => {
    const unsaved = createUnsavedStore(page.id, { storage: localStorage, tab: tabId() })
    return createEditSession({ page, read, unsaved, client })
  })
  return <EditScreen page={page} session={session} />
}
