import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/preact-query'
import { Fragment, type ReactNode, useState } from 'preact/compat'
import { readParts } from '../api.ts'
import { SEARCH_AFTER_MS, useLater } from '../hooks.ts'
import { TextField } from './field.tsx'
import { RowList } from './section.tsx'
import { ShowMore } from './show-more.tsx'
import { Pending } from './states.tsx'

interface ListProps<T> {
  label: string
  query: UseInfiniteQueryResult<InfiniteData<{ data: readonly T[] }>>
  none: string
  children(item: T): ReactNode
}

/** A list that is read part by part. */
export function List<T extends { id: string }>({ label, query, none, children }: ListProps<T>) {
  const items = query.data?.pages.flatMap(({ data }) => data)
  if (items === undefined) return <Pending error={query.error} onRetry={query.refetch} />
  if (items.length === 0) return <p className="py-8 text-muted">{none}</p>
  return (
    <>
      <RowList aria-label={label}>
        {items.map((item) => (
          <Fragment key={item.id}>{children(item)}</Fragment>
        ))}
      </RowList>
      <ShowMore query={query} label="Show more" className="mt-4" />
    </>
  )
}

interface SearchableProps<T> extends Omit<ListProps<T>, 'query'> {
  /** In the key of the query. */
  name: string
  read(input: { search: string; offset: number }): Promise<{
    data: T[]
    next_offset: number | null
  }>
  action?: ReactNode
}

/** A list with a search, which is read part by part once one pauses. */
export function SearchableList<T extends { id: string }>(props: SearchableProps<T>) {
  const { name, read, action, ...list } = props
  const searchLabel = `Search ${list.label.toLowerCase()}`
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
      <List {...list} query={query} />
    </div>
  )
}
