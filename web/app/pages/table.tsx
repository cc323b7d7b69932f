import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ListedPage } from '../boot.ts'
import { type Filters, orderOf, type Sort, sortedBy } from './filters.ts'
import { COLUMNS, PageRow } from './row.tsx'
import type { Selection } from './selection.ts'
import { useViewLines } from './view-lines.ts'

interface TableProps {
  pages: ListedPage[]
  filters: Filters
  selection: Selection
  onSort(filters: Filters): void
  onChoose(id: string, isRange: boolean): void
  onChooseAll(areAll: boolean): void
}

/** The list as a table; on a phone each row has two lines, and there are no names of columns. */
export function PagesTable({ pages, filters, selection, ...on }: TableProps) {
  const { onSort, onChoose, onChooseAll } = on
  const { ids } = selection
  const lines = useViewLines()
  const areAllChosen = pages.length > 0 && pages.every(({ id }) => ids.has(id))
  const sorts = { filters, onSort }
  return (
    <div className="@container">
      <table aria-label="Pages" className="block">
        <thead className="hidden border-b border-line text-13 text-muted @min-[960px]:block">
          <tr className={`py-1.5 ${COLUMNS}`}>
            <th scope="col" className="grid size-9 place-items-center">
              <input
                type="checkbox"
                aria-label="Select all"
                checked={areAllChosen}
                onChange={() => onChooseAll(!areAllChosen)}
                className="size-4 accent-accent"
              />
            </th>
            <SortHeading sort="title" name="Title" {...sorts} />
            <Heading name="Access" />
            <Heading name="State" />
            <SortHeading sort="views" name="Views" isAtEnd {...sorts} />
            <Heading name="Responses" isAtEnd />
            <Heading name="Comments" isAtEnd />
            <SortHeading sort="updated" name="Edited" isAtEnd {...sorts} />
          </tr>
        </thead>
        <tbody className="block">
          {pages.map((page) => (
            <PageRow
              key={page.id}
              page={page}
              days={lines.get(page.id)}
              isChosen={ids.has(page.id)}
              isChoosing={ids.size > 0}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Heading({ name, isAtEnd }: { name: string; isAtEnd?: boolean }) {
  return (
    <th scope="col" className={`font-normal ${isAtEnd ? 'text-right' : 'text-left'}`}>
      {name}
    </th>
  )
}

interface SortHeadingProps {
  sort: Sort
  name: string
  isAtEnd?: boolean
  filters: Filters
  onSort(filters: Filters): void
}

function SortHeading({ sort, name, isAtEnd, filters, onSort }: SortHeadingProps) {
  const isSorted = (filters.sort ?? 'updated') === sort
  const isUp = orderOf(filters) === 'asc'
  const Arrow = isUp ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
      className={`font-normal ${isAtEnd ? 'text-right' : 'text-left'}`}
    >
      <button
        type="button"
        onClick={() => onSort(sortedBy(filters, sort))}
        className={`inline-flex min-h-9 items-center gap-1 hover:text-ink ${isSorted ? 'text-ink' : ''}`}
      >
        {name}
        {isSorted && <Arrow size={14} aria-hidden />}
      </button>
    </th>
  )
}
