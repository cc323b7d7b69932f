import { useQuery } from '@tanstack/preact-query'
import { ChevronDown, ListFilter } from 'lucide-preact'
import { formatNumber } from '../../../src/model/numbers.ts'
import { pageQuery } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { IconButton } from '../ui/button.tsx'
import { ChoiceChip, FilterChip } from '../ui/chip.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { Chooser } from '../ui/picker.tsx'
import { useSearchParam } from '../ui/tab-links.tsx'
import { type Entry, type EntryKind, inboxPagesQuery, KINDS } from './queries.ts'

/** Shows what came from the page of an entry alone. It is left out where nothing else is shown. */
export function ThisPageButton({ page }: { page: Entry['page'] }) {
  const { data: pages = [] } = useQuery(inboxPagesQuery)
  const [pageId, setPage] = useSearchParam('page')
  const [item] = useSearchParam('item')
  if (pages.length < 2 || pageId !== '' || item !== '') return null
  return (
    <IconButton
      label={`Show ${nameOf(page)} alone`}
      icon={ListFilter}
      className="opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:hidden"
      onClick={() => setPage(page.id)}
    />
  )
}

/** Shows one kind alone: agreements and first openings are shown only so. */
export function KindFilter({ kind }: { kind: EntryKind | null }) {
  const kinds = Object.values(KINDS)
  const words = Object.fromEntries(kinds.map(({ name, filter }) => [filter, `${name}s`]))
  const value = kind === null ? undefined : KINDS[kind].filter
  const [, set] = useSearchParam('show')
  return <ChoiceChip label="Kind" words={words} value={value} onChange={set} />
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
  const [, set] = useSearchParam('page')
  if (pages.length < 2 && pageId === null) return null

  const commands = pages
    .toSorted((a, b) => Number(b.id === current) - Number(a.id === current))
    .map((each) => ({
      id: each.id,
      name: `${nameOf(each)} (${formatNumber(each.items)})`,
      run: () => set(each.id),
    }))
  const words = { label: 'Choose a page', prompt: 'Search pages' }
  const choose = () => openDialog(<Chooser {...words} commands={commands} />)
  return (
    <FilterChip
      label="Page"
      choice={pageId === null ? null : page ? nameOf(page) : 'one page'}
      onRemove={() => set()}
    >
      {(words, look) => (
        <button type="button" aria-haspopup="dialog" className={look} onClick={choose}>
          <span className="truncate">{words}</span>
          <ChevronDown size={14} aria-hidden className="shrink-0" />
        </button>
      )}
    </FilterChip>
  )
}
