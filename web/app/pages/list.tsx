import { useQuery } from '@tanstack/preact-query'
import { ArrowDown, ArrowUp, FolderInput, Search, Trash2, Undo2, Users, X } from 'lucide-preact'
import { type RefObject, useRef } from 'preact/compat'
import { count } from '../../../src/model/numbers.ts'
import { TRASH_DAYS } from '../../../src/model/page/facts.ts'
import { useIsHydrated } from '../account.ts'
import { firstDay, readersZone } from '../analytics/ranges.ts'
import { api, type ListedPage } from '../api.ts'
import { useKeys } from '../frame/keys.ts'
import { useSearchText } from '../hooks.ts'
import { IconButton, QuietButton } from '../ui/button.tsx'
import { ChoiceChip, PLAIN_CHIP } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { INPUT, Problem } from '../ui/field.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Menu } from '../ui/menu.tsx'
import { useAction } from '../use-action.ts'
import { moveToTrash, takeBack } from './actions.ts'
import {
  CHOICES,
  type Choice,
  type Filters,
  orderOf,
  SORTS,
  type Sort,
  sortedBy,
} from './filters.ts'
import { FolderLine, SaveView } from './folders.tsx'
import { useMoveCommands } from './move-commands.ts'
import { COLUMNS, PageRow } from './row.tsx'
import { useSelection } from './selection.ts'
import { type PagesList, useNear } from './use-list.ts'

const AccessDialog = lazy(() => import('./access-dialog.tsx'))
const MoveDialog = lazy(() => import('./move-dialog.tsx'))
const DeleteForGood = lazy(() => import('./delete-for-good.tsx'))

const LINE_DAYS = 14
const REFRESH_MS = 60_000

/** How many rows the document paints: more than a window shows. The script adds the others. */
const PAINTED_ROWS = 20

interface ListProps {
  list: PagesList
  filters: Filters
  onFilters(filters: Filters, isTyping?: boolean): void
}

type SelectedRows = ReturnType<typeof useSelection>

export function List({ list, filters, onFilters }: ListProps) {
  const { pages, hasNextPage } = list
  const rows = useSelection(list)
  const { selected, toggleRow, selectAll, clear } = rows
  const searchBox = useRef<HTMLInputElement>(null)
  // The link of a row has the focus, so that Enter opens it.
  useKeys({
    '/': () => {
      searchBox.current?.focus()
      searchBox.current?.select()
    },
    j: () => focusRow(1),
    k: () => focusRow(-1),
    x: ({ shiftKey }) => {
      const id = focusedRow()?.dataset.id
      if (id !== undefined) toggleRow(id, shiftKey)
    },
    escape: clear,
  })
  const isTrash = filters.state === 'trash'
  useMoveCommands({
    pagesToMove() {
      if (isTrash || selected.length > 0) return isTrash ? [] : selected
      return pages.filter(({ id }) => id === focusedRow()?.dataset.id)
    },
    onAsk: (pages) => openDialog(<MoveDialog pages={pages} />, clear),
    onDone: clear,
  })
  const emptyTrash = useAction(selectAll, {
    onDone: (all) => openDialog(<DeleteForGood pages={all} onDone={clear} />),
  })
  const isHydrated = useIsHydrated()
  const painted = isHydrated ? pages : pages.slice(0, PAINTED_ROWS)
  return (
    <>
      <FolderLine filters={filters} />
      <Toolbar filters={filters} onChange={onFilters} searchBox={searchBox} />
      {isTrash && (
        <p className="mb-2 flex flex-wrap items-center justify-between gap-x-4 text-13 text-muted">
          Pages are deleted {TRASH_DAYS} days after they came here. Until then they count to what
          you store, and keep their address.
          {pages.length > 0 && (
            <QuietButton className="-mx-3" mutation={emptyTrash}>
              Empty the trash
            </QuietButton>
          )}
        </p>
      )}
      {pages.length > 0 && <PagesTable pages={painted} {...{ filters, rows }} onSort={onFilters} />}
      {hasNextPage && isHydrated && <More list={list} />}
      {selected.length > 0 && <SelectionBar rows={rows} isTrash={isTrash} />}
    </>
  )
}

/** Reads the next part of the list when its end comes near, or when it is asked to. */
function More({ list }: { list: PagesList }) {
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError, error } = list
  const load = () => void fetchNextPage({ cancelRefetch: false })
  const end = useNear(() => !isFetchNextPageError && load())
  return (
    <div ref={end} className="py-4 text-center">
      <Problem error={isFetchNextPageError && error} />
      <QuietButton disabled={isFetchingNextPage} onClick={load}>
        {isFetchingNextPage ? 'Loading more' : 'Load more'}
      </QuietButton>
    </div>
  )
}

function SelectionBar({ rows, isTrash }: { rows: SelectedRows; isTrash: boolean }) {
  const { selected, areAllSelected, selectAll, clear } = rows
  // The choice stays meanwhile, so that the bar shows that something is under way.
  const { mutate, isPending } = useAction((act: typeof moveToTrash) => act(selected), {
    onDone: clear,
  })
  const move = () => openDialog(<MoveDialog pages={selected} />, clear)
  const setAccess = () => openDialog(<AccessDialog pages={selected} />, clear)
  const askToDelete = () => openDialog(<DeleteForGood pages={selected} onDone={clear} />)
  return (
    <section
      aria-label="Chosen pages"
      className="sticky bottom-18 z-30 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float max-sm:justify-between max-sm:[&_button:not([aria-label])_svg]:hidden md:bottom-6"
    >
      <p role="status" className="mr-2 text-13 whitespace-nowrap">
        {count(selected.length, 'page')} chosen
      </p>
      {!areAllSelected && <QuietButton onClick={selectAll}>Select all</QuietButton>}
      {isTrash ? (
        <QuietButton icon={Undo2} disabled={isPending} onClick={() => mutate(takeBack)}>
          Take back
        </QuietButton>
      ) : (
        <>
          <CopyButton
            look="quiet"
            text={selected.map(({ url }) => url).join('\n')}
            label={selected.length === 1 ? 'Copy link' : 'Copy links'}
          />
          <QuietButton icon={FolderInput} onClick={move}>
            Move
          </QuietButton>
          <QuietButton icon={Users} onClick={setAccess}>
            Change access
          </QuietButton>
        </>
      )}
      <QuietButton
        className="text-danger!"
        icon={Trash2}
        disabled={isPending}
        onClick={isTrash ? askToDelete : () => mutate(moveToTrash)}
      >
        {isTrash ? 'Delete for good' : isPending ? 'Deleting…' : 'Delete'}
      </QuietButton>
      <IconButton label="Choose none" icon={X} onClick={clear} />
    </section>
  )
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-id]') ?? null
}

function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-id]')]
  const focused = focusedRow()
  const at = focused === null ? -1 : rows.indexOf(focused)
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
  row?.querySelector('a')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

interface TableProps {
  pages: ListedPage[]
  filters: Filters
  rows: SelectedRows
  onSort(filters: Filters): void
}

function PagesTable({ pages, filters, rows, onSort }: TableProps) {
  const { ids } = rows.selection
  const lines = useViewLines()
  const { sort: sorted = 'updated' } = filters
  const areAllSelected = pages.length > 0 && pages.every(({ id }) => ids.has(id))
  return (
    <div className="@container">
      <table aria-label="Pages" className="block">
        <thead className="hidden border-b border-line text-13 text-muted @min-[60rem]:block">
          <tr className={`py-1.5 ${COLUMNS}`}>
            <th scope="col" className="grid size-9 place-items-center">
              <input
                type="checkbox"
                aria-label="Select all"
                checked={areAllSelected}
                onChange={() => (areAllSelected ? rows.clear() : void rows.selectAll())}
                className="size-4 accent-accent"
              />
            </th>
            {HEADINGS.map(({ name, sort, isAtEnd }) => {
              const order = sort === sorted ? ORDERS[orderOf(filters)] : undefined
              return (
                <th
                  key={name}
                  scope="col"
                  aria-sort={order?.name}
                  className={`font-normal ${isAtEnd ? 'text-right' : 'text-left'}`}
                >
                  {sort === undefined ? (
                    name
                  ) : (
                    <button
                      type="button"
                      onClick={() => onSort(sortedBy(filters, sort))}
                      className={`inline-flex min-h-9 items-center gap-1 hover:text-ink ${order ? 'text-ink' : ''}`}
                    >
                      {name}
                      {order && <order.Arrow size={14} />}
                    </button>
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody className="block">
          {pages.map((page) => (
            <PageRow
              key={page.id}
              page={page}
              days={lines.get(page.id)}
              filters={filters}
              isChosen={ids.has(page.id)}
              isChoosing={ids.size > 0}
              onChoose={rows.toggleRow}
              dragged={() => (ids.has(page.id) ? pages.filter(({ id }) => ids.has(id)) : [page])}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ORDERS = {
  asc: { name: 'ascending', Arrow: ArrowUp },
  desc: { name: 'descending', Arrow: ArrowDown },
} as const

/** The columns, and by what a press sorts the list; left out where nothing does. */
const HEADINGS: { name: string; sort?: Sort; isAtEnd?: boolean }[] = [
  { name: 'Title', sort: 'title' },
  { name: 'Access' },
  { name: 'State' },
  { name: 'Views', sort: 'views', isAtEnd: true },
  { name: 'Responses', isAtEnd: true },
  { name: 'Comments', isAtEnd: true },
  { name: 'Edited', sort: 'updated', isAtEnd: true },
]

/** The views by day, for two weeks, of the pages that are viewed most. */
function useViewLines(): ReadonlyMap<string, number[]> {
  const { data } = useQuery({
    queryKey: ['analytics', 'lines'],
    queryFn: async () => {
      const tz = readersZone()
      const from = firstDay(LINE_DAYS, { now: Date.now(), tz })
      const days = { from, tz, interval: 'day', only: 'views', group: 'page' } as const
      const { pages = [] } = (await api.getAccountAnalytics(days)).data
      return pages.map(({ page_id: id, series }) => [id, series] as const)
    },
    refetchInterval: REFRESH_MS,
  })
  return new Map(data)
}

interface ToolbarProps {
  filters: Filters
  onChange(filters: Filters, isTyping?: boolean): void
  searchBox: RefObject<HTMLInputElement | null>
}

/** What is shown, as chips: on a phone one line of them, which scrolls. */
function Toolbar({ filters, onChange, searchBox }: ToolbarProps) {
  const [text, setText] = useSearchText(filters.search ?? '', (search) =>
    onChange({ ...filters, search }, true),
  )
  return (
    <search className="mb-2 flex flex-wrap items-center gap-2">
      <div className="relative min-w-40 flex-1 sm:max-w-80">
        <Search
          size={16}
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
        />
        <input
          ref={searchBox}
          type="search"
          aria-label="Search pages"
          placeholder="Search pages"
          maxLength={200}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== 'Escape') return
            setText('')
            currentTarget.blur()
          }}
          className={`${INPUT} pl-9!`}
        />
      </div>
      <div className="-mx-4 flex max-w-[100vw] scroll-px-2 gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-1">
        {(Object.keys(CHOICES) as Choice[]).map((name) => (
          <ChoiceChip
            key={name}
            {...CHOICES[name]}
            value={filters[name]}
            onChange={(value) => onChange({ ...filters, [name]: value })}
          />
        ))}
        <SortChip filters={filters} onChange={onChange} />
      </div>
      <SaveView filters={filters} />
    </search>
  )
}

function SortChip({ filters, onChange }: Pick<ToolbarProps, 'filters' | 'onChange'>) {
  const { sort = 'updated' } = filters
  const orders = Object.entries(SORTS).map(([key, word]) => ({
    label: word,
    isChosen: key === sort,
    onSelect: () => key !== sort && onChange(sortedBy(filters, key as Sort)),
  }))
  const reverse = { label: 'Reverse the order', onSelect: () => onChange(sortedBy(filters, sort)) }
  const items = [...orders, reverse]
  return <Menu label={`Sort: ${SORTS[sort]}`} look={PLAIN_CHIP} items={items} />
}
