import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/preact-query'
import { type ReactNode, useState } from 'preact/compat'
import { useLater } from '../hooks.ts'
import { readParts } from '../queries.ts'
import { TextField } from '../ui/field.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Pending } from '../ui/states.tsx'

const SEARCH_AFTER_MS = 200

interface ListProps<T> {
  label: string
  items: T[] | undefined
  query: UseInfiniteQueryResult
  none: string
  children(item: T): ReactNode
}

export function List<T extends { id: string }>(props: ListProps<T>) {
  const { label, items, query, none, children } = props
  if (items === undefined) {
    return <Pending error={query.error} onRetry={() => query.refetch()} />
  }
  if (items.length === 0) return <p className="py-8 text-muted">{none}</p>
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {items.map((item) => (
          <li key={item.id} className="border-b border-line py-3">
            {children(item)}
          </li>
        ))}
      </ul>
      <ShowMore query={query} label="Show more" className="mt-4" />
    </>
  )
}

interface ItemProps {
  title: ReactNode
  about: ReactNode
  problem?: ReactNode
  facts?: ReactNode
  children: ReactNode
}

export function Item({ title, about, problem, facts, children }: ItemProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-medium" dir="auto">
          {title}
        </p>
        <p className="text-13 break-words text-muted">{about}</p>
        {problem && <div className="text-13 break-words text-danger">{problem}</div>}
      </div>
      <p className="text-13 text-muted tabular-nums">{facts}</p>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}

interface SearchableProps<T> extends Omit<ListProps<T>, 'items' | 'query'> {
  /** In the key of the query. */
  name: string
  /** Also shown in the empty field. */
  searchLabel: string
  read(input: { search: string; offset: number }): Promise<{
    data: T[]
    next_offset: number | null
  }>
  action?: ReactNode
}

/** A list with a search, which is read part by part once one pauses. */
export function SearchableList<T extends { id: string }>(props: SearchableProps<T>) {
  const { name, searchLabel, read, action, ...list } = props
  const [text, setText] = useState('')
  const search = useLater(text.trim(), SEARCH_AFTER_MS)
  const query = useInfiniteQuery({
    ...readParts(['operator', name, search], (offset) => read({ search, offset })),
    placeholderData: (before) => before,
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-40 flex-1 sm:max-w-80">
          <TextField
            label={searchLabel}
            isLabelHidden
            type="search"
            placeholder={searchLabel}
            value={text}
            onText={setText}
          />
        </div>
        {action}
      </div>
      <List {...list} query={query} items={query.data?.pages.flatMap(({ data }) => data)} />
    </div>
  )
}
