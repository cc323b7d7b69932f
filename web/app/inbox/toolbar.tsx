import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { nameOf } from '../page/words.ts'
import { copyForAgent } from '../threads/copy-for-agent.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { useView, Views } from '../ui/views.tsx'
import type { Entry, EntryKind, InboxFilter } from './model.ts'
import { inboxPagesQuery } from './queries.ts'

const VIEWS = [
  { value: '', name: 'All' },
  { value: 'comments', name: 'Comments' },
  { value: 'requests', name: 'Requests' },
  { value: 'decisions', name: 'Decisions' },
]
const KIND_OF: Record<string, EntryKind> = {
  comments: 'thread',
  requests: 'request',
  decisions: 'decision',
}

/** What is shown, as it stands in the address. */
export function useInboxFilter(): InboxFilter {
  const kind = KIND_OF[useView('show')] ?? null
  return { kind, pageId: useView('page') || null }
}

interface ToolbarProps {
  filter: InboxFilter
  shown: readonly Entry[]
}

/** Chooses what is shown; threads of one page can be copied for an agent together. */
export function Toolbar({ filter: { pageId }, shown }: ToolbarProps) {
  const threads = shown.flatMap((entry) => (entry.kind === 'thread' ? [entry.thread] : []))
  const page = pageId === null ? undefined : shown[0]?.page
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Views label="Inbox" param="show" views={VIEWS} />
      <div className="flex flex-wrap items-center gap-2">
        {page !== undefined && threads.length > 1 && (
          <Button icon={<Bot size={16} aria-hidden />} onClick={() => copyForAgent(page, threads)}>
            Copy all for an agent
          </Button>
        )}
        <PageChoice pageId={pageId} />
      </div>
    </div>
  )
}

function PageChoice({ pageId }: Pick<InboxFilter, 'pageId'>) {
  const { data: pages = [] } = useQuery(inboxPagesQuery)
  const [, setParams] = useSearchParams()
  if (pages.length < 2 && pageId === null) return null
  const isListed = pages.some(({ id }) => id === pageId)
  return (
    <div className="w-48">
      <Select
        label="Page"
        isLabelHidden
        value={pageId ?? ''}
        onChange={({ target: { value } }) =>
          setParams((before) => {
            const next = new URLSearchParams(before)
            if (value === '') next.delete('page')
            else next.set('page', value)
            return next
          })
        }
      >
        <option value="">All pages</option>
        {pages.map((page) => (
          <option key={page.id} value={page.id}>
            {nameOf(page)} ({page.items})
          </option>
        ))}
        {pageId !== null && !isListed && <option value={pageId}>This page</option>}
      </Select>
    </div>
  )
}
