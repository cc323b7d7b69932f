import { useQuery } from '@tanstack/preact-query'
import { type ComponentType, Suspense } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import type { Page } from '../api.ts'
import { NotFound } from '../frame/screen.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Skeleton } from '../ui/states.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { PreviewTab } from './preview/preview.tsx'
import { countsQuery } from './use-page.ts'

const TextEditor = lazy(() => import('./edit/edit.tsx'))
const FileTab = lazy(() => import('./file/file.tsx'))

function EditTab({ page }: { page: Page }) {
  return page.file === null ? <TextEditor page={page} /> : <FileTab page={page} />
}

type Counts = Output<'countPage'>['data']
type Counted = 'versions' | 'responses' | 'open_comments' | 'decisions' | 'votes' | 'people'

/** A tab with its name, which stands in the address, what it counts, and where it is shown. */
function tab(
  name: string,
  screen: ComponentType<{ page: Page }>,
  counted?: Counted,
  isShown: (page: Page, counts: Counts | undefined) => boolean = () => true,
) {
  return { name, path: name.toLowerCase(), screen, counted, isShown }
}

const Versions = lazy(() => import('./versions/versions.tsx'))
const Responses = lazy(() => import('./responses/responses.tsx'))
const Comments = lazy(() => import('./comments/comments.tsx'))
const Approvals = lazy(() => import('./approvals/approvals.tsx'))
const Poll = lazy(() => import('./poll/poll.tsx'))
const People = lazy(() => import('./people/people.tsx'))
const Analytics = lazy(() => import('./analytics/analytics.tsx'))

const TABS = [
  { ...tab('Preview', PreviewTab), path: '' },
  tab('Edit', EditTab),
  tab('Versions', Versions, 'versions'),
  tab('Responses', Responses, 'responses', (_, counts) =>
    Boolean(counts?.collects_responses || counts?.responses),
  ),
  tab('Comments', Comments, 'open_comments', (page) => page.allow_comments),
  tab('Approvals', Approvals, 'decisions', (page) => page.collect_approvals),
  tab('Poll', Poll, 'votes', (page) => page.collect_votes),
  tab('People', People, 'people', ({ access, allowed_emails: invited }, counts) =>
    Boolean(counts?.people || (access === 'people' && invited.length > 0)),
  ),
  tab('Analytics', Analytics),
]

/** The address of the sharing dialog, which stands over a tab. */
export const SHARE = 'share'

export function PageTabs({ page, tab }: { page: Page; tab: string }) {
  const { data: counts } = useQuery(countsQuery(page.id))
  const tabs = TABS.filter(({ path, isShown }) => path === tab || isShown(page, counts))
  return (
    <TabLinks
      label="Page"
      className="mt-2 sm:mt-5"
      tabs={tabs.map(({ path, name, counted }) => ({
        name,
        count: counted && counts?.[counted],
        href: `/pages/${page.id}${path && `/${path}`}`,
        isCurrent: path === tab,
      }))}
    />
  )
}

/** A tab that does not apply can still be opened by its address: it says what to switch on. */
export function PageTab({ page, tab }: { page: Page; tab: string }) {
  const Screen = TABS.find(({ path }) => path === tab)?.screen
  if (Screen === undefined) return <NotFound />
  return (
    <div className="pt-6">
      <Suspense fallback={<Skeleton />}>
        <Screen page={page} />
      </Suspense>
    </div>
  )
}
