import { type ComponentType, lazy, Suspense } from 'preact/compat'
import type { Page } from '../boot.ts'
import { NotFound } from '../frame/screen.tsx'
import { Skeleton } from '../ui/states.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { PreviewTab } from './preview/preview.tsx'

const TextEditor = lazy(() => import('./edit/edit.tsx'))
const FileTab = lazy(() => import('./file/file.tsx'))

function EditTab({ page }: { page: Page }) {
  return page.file === null ? <TextEditor page={page} /> : <FileTab page={page} />
}

type Screen = ComponentType<{ page: Page }>

/** A tab with its name, which stands in the address, and whether the page has it. */
function tab(name: string, screen: Screen, isShown: (page: Page) => boolean = () => true) {
  return { name, path: name.toLowerCase(), screen, isShown }
}

const TABS = [
  { ...tab('Preview', PreviewTab), path: '' },
  tab('Edit', EditTab),
  tab(
    'Versions',
    lazy(() => import('./versions/versions.tsx')),
  ),
  tab(
    'Responses',
    lazy(() => import('./responses/responses.tsx')),
    (page) => page.file === null,
  ),
  tab(
    'Comments',
    lazy(() => import('./comments/comments.tsx')),
    (page) => page.allow_comments,
  ),
  tab(
    'Approvals',
    lazy(() => import('./approvals/approvals.tsx')),
    (page) => page.collect_approvals,
  ),
  tab(
    'Poll',
    lazy(() => import('./poll/poll.tsx')),
    (page) => page.collect_votes,
  ),
  tab(
    'Analytics',
    lazy(() => import('./analytics/analytics.tsx')),
  ),
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
