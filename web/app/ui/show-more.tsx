import type { UseInfiniteQueryResult } from '@tanstack/preact-query'
import { Button } from './button.tsx'

export interface ShowMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label?: string
  className?: string
}

/** Reads the next part of a list, where there is one. */
export function ShowMore({ query, label = 'Show older', className }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <Button
      className={className ?? 'justify-self-start'}
      disabled={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      {label}
    </Button>
  )
}
