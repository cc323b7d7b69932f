import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ShowMore } from '../ui/show-more.tsx'
import { Pending } from '../ui/states.tsx'

interface ListProps<T> {
  label: string
  items: T[] | undefined
  query: UseInfiniteQueryResult
  /** What to say where there are none. */
  none: string
  children(item: T): ReactNode
}

/** A list that is read part by part. */
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
