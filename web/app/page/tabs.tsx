import { useQuery } from '@tanstack/preact-query'
import { type ComponentType, lazy, Suspense } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import type { Page } from '../boot.ts'
import { NotFound } from '../frame/screen.tsx'
import { Skeleton } from '../ui/states.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { PreviewTab } from './preview/preview.tsx'
import { countsQuery } from './use-page.ts'

const TextEditor = lazy(() => import('./edit/edit.tsx'))
const FileTab = lazy(() => import('./file/file.tsx'))

function EditTab({ page }: { page: Page }) {
  return page.file === null ? <TextEditor page={page} /> : <FileTab page={page} />
}

type Screen = ComponentType<{ page: Page }>

type Counts = Output<'countPage'>['data']

interface TabOptions {
  /** Whether it applies to the page. */
  isShown?(page: Page, counts: Counts | undefined): boolean
  /** How much of it there is. */
  countOf?(counts: Counts): number
}

/** A tab with its name, which stands in the address. */
function tab(name: string, screen: Screen, { isShown = () => true, countOf }: TabOptions = {}) {
  return { name, path: name.toLowerCase(), screen, isShown, countOf }
}

const TABS = [
  { ...tab('Preview', PreviewTab), path: '' },
  tab('Edit', EditTab),
  tab(
    'Versions',
    lazy(() => import('./versions/versions.tsx')),
    { countOf: ({ versions }) => versions },
  ),
  tab(
    'Responses',
    lazy(() => import('./responses/responses.tsx')),
    {
      isShown: (_page, counts) => counts !== undefined && hasResponses(counts),
      countOf: ({ responses }) => responses,
    },
  ),
  tab(
    'Comments',
    lazy(() => import('./comments/comments.tsx')),
    { isShown: (page) => page.allow_comments, countOf: ({ open_comments: open }) => open },
  ),
  tab(
    'Approvals',
    lazy(() => import('./approvals/approvals.tsx')),
    { isShown: (page) => page.collect_approvals, countOf: ({ decisions }) => decisions },
  ),
  tab(
    'Poll',
    lazy(() => import('./poll/poll.tsx')),
    { isShown: (page) => page.collect_votes, countOf: ({ votes }) => votes },
  ),
  tab(
    'People',
    lazy(() => import('./people/people.tsx')),
    {
      isShown: (page, counts) =>
        (counts?.people ?? 0) > 0 || (page.access === 'people' && page.allowed_emails.length > 0),
      countOf: ({ people }) => people,
    },
  ),
  tab(
    'Analytics',
    lazy(() => import('./analytics/analytics.tsx')),
  ),
]

/** The sharing dialog stands over the preview. */
export const SHARE = 'share'

/** The tabs that apply, and the one that is open. */
export function PageTabs({ page, tab }: { page: Page; tab: string }) {
  const { data: counts } = useQuery(countsQuery(page.id))
  const open = tab === SHARE ? '' : tab
  const shown = TABS.filter(({ path, isShown }) => path === open || isShown(page, counts))
  return (
    <TabLinks
      label="Page"
      className="mt-5"
      tabs={shown.map(({ path, name, countOf }) => ({
        name,
        count: counts && countOf?.(counts),
        href: `/pages/${page.id}${path && `/${path}`}`,
        isCurrent: path === open,
      }))}
    />
  )
}

function hasResponses({ collects_responses: isCollected, responses }: Counts): boolean {
  return isCollected || responses > 0
}

/** A tab that does not apply can still be opened by its address: it says what to switch on. */
export function PageTab({ page, tab }: { page: Page; tab: string }) {
  const Screen = TABS.find(({ path }) => path === (tab === SHARE ? '' : tab))?.screen
  if (Screen === undefined) return <NotFound />
  return (
    <div className="pt-6">
      <Suspense fallback={<Skeleton />}>
        <Screen page={page} />
      </Suspense>
    </div>
  )
}
