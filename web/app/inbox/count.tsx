import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../ui/text.ts'
import { inboxCountQuery } from './queries.ts'

const MOST = 99

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
