import { useQuery } from '@tanstack/react-query'
import type { Page } from '../../boot.ts'
import { count } from '../../ui/text.ts'
import { Differences } from '../differences.tsx'
import { changesQuery } from '../queries.ts'

/** How many passages of the draft differ from what is live, and which. */
export function Passages({ page }: { page: Page }) {
  const { data } = useQuery(changesQuery(page.id, {}, `${page.sha256} ${page.updated_at}`))
  // The frames show both versions, so a failed count needs no error message.
  if (data === undefined) return <p className="min-h-6" />
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 items-center gap-1.5 rounded-control text-13 text-muted hover:text-ink">
        <span aria-hidden className="transition-transform duration-120 group-open:rotate-90">
          ›
        </span>
        {data.passages === 0
          ? 'The text is the same: markup, style or script differ'
          : count(data.passages, 'passage differs', 'passages differ')}
      </summary>
      <div className="mt-2 mb-1 max-h-96 overflow-y-auto">
        <Differences changes={data} />
      </div>
    </details>
  )
}
