import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/compat'
import type { Page } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { contentOf, pageQuery, usePublication } from '../use-page.ts'
import { nameOf } from '../words.ts'
import { ContentFrame } from './content-frame.tsx'
import { Bar, useWidths } from './preview.tsx'

const POLL_MS = 1000

/** The draft as it was saved last, for a window beside an editor: `handbill publish --watch`. */
export function WatchedDraft({ page: { id } }: { page: Page }) {
  // Nothing is asked for while the window is hidden; when it comes back, at once.
  const query = { ...pageQuery(id), refetchInterval: POLL_MS, staleTime: 0 }
  const { data: page } = useQuery(query)
  const [width, widths] = useWidths()
  const { publish } = usePublication(page ?? ({ id } as Page))
  if (page === undefined) return null
  const canPublish = !page.is_published || page.has_unpublished_changes
  return (
    <div className="grid h-[calc(100dvh-6rem)] min-h-96 grid-rows-[auto_1fr] gap-3">
      <Bar widths={widths}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="line-clamp-2 font-serif text-21 font-medium" dir="auto">
            {nameOf(page)}
          </h1>
          <Note>
            {canPublish ? 'The draft, which you alone see.' : 'Published as it is here.'}{' '}
            <TextLink href={`/pages/${id}`}>All of the page</TextLink>
          </Note>
          {canPublish && <Button mutation={publish}>Publish</Button>}
        </div>
      </Bar>
      <Frames page={page} width={width} />
    </div>
  )
}

/** Shows one state of the draft until the next has loaded, so that nothing flashes. */
function Frames({ page, width }: { page: Page; width: ReturnType<typeof useWidths>[0] }) {
  const [framePage, setFramePage] = useState(page)
  const isLoaded = contentOf(framePage) === contentOf(page)
  return (
    <div className="relative">
      {(isLoaded ? [page] : [framePage, page]).map((each) => (
        <div
          key={contentOf(each)}
          className={`absolute inset-0 ${isLoaded || each === framePage ? '' : 'opacity-0'}`}
        >
          <ContentFrame page={each} width={width} onLoad={() => setFramePage(each)} />
        </div>
      ))}
    </div>
  )
}
