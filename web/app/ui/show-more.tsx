import type { UseInfiniteQueryResult } from '@tanstack/preact-query'
import { Button } from './button.tsx'

export interface ShowMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label?: string
  className?: string
}

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
