import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Page } from '../../boot.ts'
import { IconButton } from '../../ui/button.tsx'
import { Pending } from '../../ui/states.tsx'
import { count } from '../../ui/text.ts'
import { Differences } from '../differences.tsx'
import { changesQuery } from '../queries.ts'

interface ComparedProps {
  page: Page
  /** The numbers of two versions, the earlier one first. */
  from: number
  to: number
  onClose(): void
}

/** The text difference of two versions. */
export function Compared({ page, from, to, onClose }: ComparedProps) {
  const { data, error, refetch } = useQuery(changesQuery(page.id, { from, to }, 'versions'))
  return (
    <section aria-labelledby="compared">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="compared" className="font-medium">
          Version {from} to version {to}
          {data && (
            <span className="ml-3 font-normal text-muted">
              {count(data.passages, 'passage differs', 'passages differ')}
            </span>
          )}
        </h2>
        <IconButton label="Close the comparison" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      {data ? <Differences changes={data} /> : <Pending error={error} onRetry={refetch} rows={4} />}
    </section>
  )
}
