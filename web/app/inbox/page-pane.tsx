import { useQuery } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { ContentFrame } from '../page/preview/content-frame.tsx'
import { pageQuery, versionsQuery } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { Pending } from '../ui/states.tsx'
import type { Entry } from './queries.ts'

/** The page of an entry, as visitors see it, beside the list: of a deck, the file it is about. */
export function PagePane({ entry }: { entry: Entry }) {
  const { page: of } = entry
  const path = entry.kind === 'thread' ? entry.thread.path : ''
  const { data: page, error, refetch } = useQuery(pageQuery(of.id))
  const { data: versions } = useQuery(versionsQuery(of.id))
  const live = versions?.data.find(({ is_live: isLive }) => isLive)?.version_no
  return (
    <section
      aria-label="The page"
      className="sticky top-4 flex h-[calc(100dvh-9rem)] min-h-96 flex-col gap-2"
    >
      <p className="flex min-w-0 items-baseline gap-2 text-13 text-muted">
        <Link
          href={`/pages/${of.id}`}
          dir="auto"
          className="min-w-0 truncate hover:text-ink hover:underline"
        >
          {nameOf(of)}
        </Link>
        {versions && (
          <span className="shrink-0">
            {live === undefined ? 'Not published: the draft' : `Version ${live}, live`}
          </span>
        )}
      </p>
      {(page === undefined || versions === undefined) && (
        <Pending error={error} onRetry={refetch} rows={6} />
      )}
      {page && versions && (
        <ContentFrame
          page={page}
          version={live ?? 'draft'}
          title="The page"
          width="desktop"
          path={path}
        />
      )}
    </section>
  )
}
