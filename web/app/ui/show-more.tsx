import type { UseInfiniteQueryResult } from '@tanstack/preact-query'
import { Button } from './button.tsx'
import { Problem } from './field.tsx'

export interface ShowMoreProps {
  query: UseInfiniteQueryResult
  label?: string
  className?: string
}

export function ShowMore(props: ShowMoreProps) {
  const { query, label = 'Show older', className = 'justify-self-start' } = props
  const isReading = query.isFetchingNextPage
  if (!query.hasNextPage) return null
  return (
    <>
      <Problem error={query.isFetchNextPageError && query.error} className="mt-3" />
      <Button className={className} disabled={isReading} onClick={() => query.fetchNextPage()}>
        {label}
      </Button>
    </>
  )
}
