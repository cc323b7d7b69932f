import type { UseInfiniteQueryResult } from '@tanstack/preact-query'
import { Button } from './button.tsx'
import { Problem } from './field.tsx'

export interface ShowMoreProps {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >
  label?: string
  className?: string
}

export function ShowMore({ query, label = 'Show older', className }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <>
      <Problem error={query.isFetchNextPageError && query.error} className="mt-3" />
      <Button
        className={className ?? 'justify-self-start'}
        disabled={query.isFetchingNextPage}
        onClick={() => query.fetchNextPage()}
      >
        {label}
      </Button>
    </>
  )
}
