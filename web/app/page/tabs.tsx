import { useQuery } from '@tanstack/preact-query'
import { type ComponentType, Suspense } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import type { Page } from '../boot.ts'
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

type Screen = ComponentType<{ page: Page }>

type Counts = Output<'countPage'>['data']

interface TabOptions {
  isShown?(page: Page, counts: Counts | undefined): boolean
  countOf?(counts: Counts): number
}

/** A tab with its name, which stands in the address. */
function tab(name: string, screen: Screen, { isShown = () => true, countOf }: TabOptions = {}) {
  return { name, path: name.toLowerCase(), screen, isShown, countOf }
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
  tab('Versions', Versions, { countOf: (counts) => counts.versions }),
  tab('Responses', Responses, {
    isShown: (_, counts) => Boolean(counts?.collects_responses || counts?.responses),
    countOf: (counts) => counts.responses,
  }),
  tab('Comments', Comments, {
    isShown: (page) => page.allow_comments,
    countOf: (counts) => counts.open_comments,
  }),
  tab('Approvals', Approvals, {
    isShown: (page) => page.collect_approvals,
    countOf: (counts) => counts.decisions,
  }),
  tab('Poll', Poll, {
    isShown: (page) => page.collect_votes,
    countOf: (counts) => counts.votes,
  }),
  tab('People', People, {
    isShown: (page, counts) =>
      Boolean(counts?.people) || (page.access === 'people' && page.allowed_emails.length > 0),
    countOf: (counts) => counts.people,
  }),
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
      tabs={tabs.map(({ path, name, countOf }) => ({
        name,
        count: counts && countOf?.(counts),
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
