import { type ComponentType, lazy, Suspense } from 'react'
import type { Page } from '../boot.ts'
import { NotFound } from '../frame/screen.tsx'
import { Skeleton } from '../ui/states.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { PreviewTab } from './preview/preview.tsx'
import { kindOf } from './words.ts'

interface Tab {
  /** In the address, behind the page's id. */
  path: string
  name: string
  screen: ComponentType<{ page: Page }>
  /** Whether the page has this tab. */
  isShown(page: Page): boolean
}

const always = () => true

const TextEditor = lazy(() => import('./edit/edit.tsx'))
const FileTab = lazy(() => import('./file/file.tsx'))

function EditTab({ page }: { page: Page }) {
  return page.file === null ? <TextEditor page={page} /> : <FileTab page={page} />
}

const TABS: Tab[] = [
  { path: '', name: 'Preview', screen: PreviewTab, isShown: always },
  { path: 'edit', name: 'Edit', screen: EditTab, isShown: always },
  {
    path: 'versions',
    name: 'Versions',
    screen: lazy(() => import('./versions/versions.tsx')),
    isShown: always,
  },
  {
    path: 'responses',
    name: 'Responses',
    screen: lazy(() => import('./responses/responses.tsx')),
    isShown: (page) => ['page', 'deck'].includes(kindOf(page)),
  },
  {
    path: 'comments',
    name: 'Comments',
    screen: lazy(() => import('./comments/comments.tsx')),
    isShown: (page) => page.allow_comments,
  },
  {
    path: 'approvals',
    name: 'Approvals',
    screen: lazy(() => import('./approvals/approvals.tsx')),
    isShown: (page) => page.collect_approvals,
  },
  {
    path: 'poll',
    name: 'Poll',
    screen: lazy(() => import('./poll/poll.tsx')),
    isShown: (page) => page.collect_votes,
  },
  {
    path: 'analytics',
    name: 'Analytics',
    screen: lazy(() => import('./analytics/analytics.tsx')),
    isShown: always,
  },
]

/** The sharing dialog stands over the preview. */
export const SHARE = 'share'

export function PageTabs({ page, tab }: { page: Page; tab: string }) {
  return (
    <TabLinks
      label="Page"
      className="mt-5"
      tabs={TABS.filter(({ isShown }) => isShown(page)).map(({ path, name }) => ({
        name,
        href: `/pages/${page.id}${path && `/${path}`}`,
        isCurrent: path === (tab === SHARE ? '' : tab),
      }))}
    />
  )
}

/** A tab that does not apply can still be opened by its address: it says what to switch on. */
export function PageTab({ page, tab }: { page: Page; tab: string }) {
  const found = TABS.find(({ path }) => path === (tab === SHARE ? '' : tab))
  if (found === undefined) return <NotFound />
  const { screen: Screen } = found
  return (
    <div className="pt-6">
      <Suspense fallback={<Skeleton />}>
        <Screen page={page} />
      </Suspense>
    </div>
  )
}
