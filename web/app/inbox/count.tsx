import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { formatNumber } from '../ui/text.ts'

const MOST = 99
const PAGES_AT_ONCE = 200

const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: async () => {
    const { data } = await api.listPages({ limit: PAGES_AT_ONCE })
    return data.reduce((sum, page) => sum + page.open_comments, 0)
  },
  refetchInterval: 30_000,
  staleTime: 10_000,
})

/** How many things wait in the inbox; nothing where none does. */
export function InboxCount({ className }: { className: string }) {
  const { data: waiting = 0 } = useQuery(inboxCountQuery)
  if (waiting === 0) return null
  return (
    <span
      className={`rounded-full bg-accent px-1.5 text-12 font-medium text-on-accent ${className}`}
    >
      {waiting > MOST ? `${MOST}+` : formatNumber(waiting)}
      <span className="sr-only"> waiting</span>
    </span>
  )
}
