import { useQuery } from '@tanstack/preact-query'
import { ChevronDown } from 'lucide-preact'
import { useState } from 'preact/compat'
import { useSearchParams } from 'wouter-preact'
import { formatNumber } from '../../../src/model/numbers.ts'
import { pageQuery } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { FilterChip } from '../ui/chip.tsx'
import { Menu } from '../ui/menu.tsx'
import { Picker } from '../ui/picker.tsx'
import { type EntryKind, inboxPagesQuery } from './queries.ts'

/** By the name in the address. */
export const KINDS: Record<string, { kind: EntryKind; words: string }> = {
  comments: { kind: 'thread', words: 'Comments' },
  requests: { kind: 'request', words: 'Requests' },
  decisions: { kind: 'decision', words: 'Decisions' },
  responses: { kind: 'response', words: 'Responses' },
}

/** Sets a filter in the address, as a step of the history. */
function useFilter(name: string) {
  const [, setParams] = useSearchParams()
  return (value: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.delete(name)
      if (value !== null) next.set(name, value)
      return next
    })
}

/** Shows comments, requests, decisions or responses alone. */
export function KindFilter({ kind }: { kind: EntryKind | null }) {
  const set = useFilter('show')
  const all = Object.entries(KINDS)
  const chosen = all.find(([, each]) => each.kind === kind)?.[1].words ?? null
  return (
    <FilterChip label="Kind" chosen={chosen} onRemove={() => set(null)}>
      {(text, look) => (
        <Menu
          label={text}
          look={look}
          items={all.map(([name, { words }]) => ({
            label: words,
            isChosen: words === chosen,
            onSelect: () => set(name),
          }))}
        />
      )}
    </FilterChip>
  )
}

interface PageFilterProps {
  pageId: string | null
  /** The page of the entry that is shown: the first to choose. */
  current: string | undefined
}

/** Shows what came from one page, which stands in the address. */
export function PageFilter({ pageId, current }: PageFilterProps) {
  const { data: pages = [] } = useQuery(inboxPagesQuery)
  const { data: page } = useQuery({ ...pageQuery(pageId ?? ''), enabled: pageId !== null })
  const set = useFilter('page')
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  if (pages.length < 2 && pageId === null) return null

  const found = pages
    .toSorted((a, b) => Number(b.id === current) - Number(a.id === current))
    .map((each) => ({
      id: each.id,
      name: `${nameOf(each)} (${formatNumber(each.items)})`,
      run: () => set(each.id),
    }))
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <>
      <FilterChip
        label="Page"
        chosen={pageId === null ? null : page ? nameOf(page) : 'one page'}
        onRemove={() => set(null)}
      >
        {(words, look) => (
          <button
            type="button"
            aria-haspopup="dialog"
            className={look}
            onClick={() => {
              setText('')
              setOpen(true)
            }}
          >
            <span className="truncate">{words}</span>
            <ChevronDown size={14} aria-hidden className="shrink-0" />
          </button>
        )}
      </FilterChip>
      {isOpen && (
        <Picker
          label="Choose a page"
          prompt="Search pages"
          text={text}
          onText={setText}
          found={found}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
