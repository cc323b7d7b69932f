import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { Passage } from '../../threads/comment.tsx'
import { ContentFrame } from '../page/preview/content-frame.tsx'
import { pageQuery, versionsQuery } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import type { Thread } from '../threads/model.ts'
import { Pending } from '../ui/states.tsx'
import type { Entry } from './queries.ts'
import { usePassage } from './use-passage.ts'

/** The page of an entry, as visitors see it, beside the list: at what a comment is about. */
export function PagePane({ entry }: { entry: Entry }) {
  const { page: of } = entry
  const current = entry.kind === 'thread' ? entry.thread : null
  const [olderOf, setOlderOf] = useState<string | null>(null)
  const isOlder = olderOf === entry.id
  const thread = isOlder && current ? { ...current, ...UNCHANGED } : current
  const link = usePassage(thread)
  const { data: page, error, refetch } = useQuery(pageQuery(of.id))
  const { data: versions } = useQuery(versionsQuery(of.id))
  const live = versions?.data.find(({ is_live: isLive }) => isLive)?.version_no
  const version = isOlder && current ? current.version_no : (live ?? 'draft')
  const toggle = () => setOlderOf(isOlder ? null : entry.id)
  return (
    <section
      aria-label="The page"
      className="sticky top-4 flex h-[calc(100dvh-9rem)] min-[62.5rem]:h-[calc(100dvh-3rem)] min-h-96 flex-col gap-2"
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
            {version === 'draft' ? 'Not published: the draft' : `Version ${version}`}
            {version === live && ', live'}
          </span>
        )}
      </p>
      {current?.anchor_now && (isOlder || !link.isMarked) && (
        <Outdated thread={current} isOlder={isOlder} onToggle={toggle} />
      )}
      {(page === undefined || versions === undefined) && (
        <Pending error={error} onRetry={refetch} rows={6} />
      )}
      {page && versions && (
        <ContentFrame
          page={page}
          version={version}
          title="The page"
          path={thread?.anchor_now?.reason === 'file_gone' ? '' : (thread?.path ?? '')}
          hash={hashOf(thread)}
          link={link}
        />
      )}
    </section>
  )
}

/** In the version that a comment was written on, its passage is where it was. */
const UNCHANGED = { anchor_state: 'exact', anchor_now: null } as const

interface OutdatedProps {
  thread: Thread
  isOlder: boolean
  onToggle(): void
}

/** What the comment is about is not in the page any more: the version that has it is shown. */
function Outdated({ thread, isOlder, onToggle }: OutdatedProps) {
  const { anchor_now: now, version_no: no } = thread
  const toggle = (
    <button type="button" className="link" onClick={onToggle}>
      {isOlder ? 'Show the page as it is now' : `Show version ${no}`}
    </button>
  )
  const writtenOn = (
    <>
      version {no}. {toggle}
    </>
  )
  return (
    <div className="rounded-control bg-sunk px-3 py-2 text-13">
      {isOlder ? (
        <p>
          What version {no} said. {toggle}
        </p>
      ) : (
        <Passage comment={thread} now={now} href={null} writtenOn={writtenOn} />
      )}
    </div>
  )
}

/** The place in a PDF or an image that a comment is about, for our viewer; '' for none. */
function hashOf(thread: Thread | null): string {
  const { sheet = 1, x, y, element } = thread?.anchor ?? {}
  if (x === undefined || element || thread?.anchor_state === 'outdated') return ''
  return `#spot=${sheet},${x},${y}`
}
