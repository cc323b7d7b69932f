import { Download, Ellipsis, ExternalLink, Palette, QrCode, Share2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Page } from '../boot.ts'
import { useCommands } from '../frame/palette.tsx'
import { useNow } from '../hydrated.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Menu } from '../ui/menu.tsx'
import { count } from '../ui/text.ts'
import { DeletePage } from './delete-page.tsx'
import { downloadContent } from './details/download.ts'
import { StateMark } from './state-mark.tsx'
import { PageTabs, SHARE } from './tabs.tsx'
import { TitleField } from './title-field.tsx'
import { usePublication } from './use-page.ts'
import { accessInShort, shownLink, stateOf } from './words.ts'

const DetailsDialog = lazy(() => import('./details/details-dialog.tsx'))
const QrDialog = lazy(() => import('./details/qr-dialog.tsx'))
const ShareDialog = lazy(() => import('./share/share.tsx'))

type Overlay = 'delete' | 'details' | 'qr'

/** Title, link and state of a page, its actions, and the tabs. */
export function PageHeader({ page, tab }: { page: Page; tab: string }) {
  const [, navigate] = useLocation()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)
  const { publish, unpublish } = usePublication(page)
  // The editor has a button of its own, which saves first.
  const canPublish = tab !== 'edit' && (!page.is_published || page.has_unpublished_changes)
  const path = `/pages/${page.id}`
  useCommands(
    useMemo(
      () => [
        { name: 'Share this page', run: () => navigate(`${path}/${SHARE}`) },
        { name: 'Edit this page', run: () => navigate(`${path}/edit`) },
        { name: 'Versions of this page', run: () => navigate(`${path}/versions`) },
        { name: 'Details of this page', run: () => setOverlay('details') },
        { name: 'QR code of this page', run: () => setOverlay('qr') },
        { name: 'Delete this page', run: () => setOverlay('delete') },
      ],
      [navigate, path],
    ),
  )
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <TitleField key={page.title} page={page} />
        <div className="flex items-center gap-2">
          {canPublish && (
            <Button look="primary" disabled={publish.isPending} onClick={() => publish.mutate()}>
              Publish
            </Button>
          )}
          <Button
            look={canPublish || tab === 'edit' ? 'plain' : 'primary'}
            icon={<Share2 size={16} aria-hidden />}
            onClick={() => navigate(`${path}/${SHARE}`)}
          >
            Share
          </Button>
          <Menu
            label="More"
            icon={<Ellipsis size={18} />}
            items={[
              {
                label: 'Address and colour',
                icon: <Palette size={16} aria-hidden />,
                onSelect: () => setOverlay('details'),
              },
              {
                label: 'QR code',
                icon: <QrCode size={16} aria-hidden />,
                onSelect: () => setOverlay('qr'),
              },
              {
                label:
                  page.kind === 'bundle' ? 'Download the draft as a zip' : 'Download the draft',
                icon: <Download size={16} aria-hidden />,
                onSelect: () => downloadContent(page),
              },
            ]}
          />
        </div>
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="flex min-w-0 items-center gap-1">
          <a
            href={page.url}
            target="_blank"
            rel="noopener"
            className="inline-flex min-w-0 items-center gap-1.5 font-mono text-13 text-muted hover:text-ink"
          >
            <span className="truncate">{shownLink(page.url)}</span>
            <ExternalLink size={14} aria-label="opens in a new tab" className="shrink-0" />
          </a>
          <CopyButton look="quiet" text={page.url} label="Copy link" />
        </div>
        <StateMark state={stateOf(page, useNow())} />
        <Link href={`${path}/${SHARE}`} className="text-13 text-muted hover:text-ink">
          {accessInShort(page)}
        </Link>
        <Link href={`${path}/analytics`} className="text-13 text-muted hover:text-ink">
          {count(page.views, 'view')}
        </Link>
        <div className="-mx-3 flex sm:ml-auto">
          {page.is_published && (
            <Button
              look="quiet"
              className="text-13! text-muted!"
              disabled={unpublish.isPending}
              onClick={() => unpublish.mutate()}
            >
              Unpublish
            </Button>
          )}
          <Button
            look="quiet"
            className="text-13! text-muted! hover:text-danger!"
            onClick={() => setOverlay('delete')}
          >
            Delete page
          </Button>
        </div>
      </div>
      <PageTabs page={page} tab={tab} />
      {tab === SHARE && (
        <Suspense>
          <ShareDialog page={page} onClose={() => navigate(path)} />
        </Suspense>
      )}
      {overlay === 'delete' && <DeletePage page={page} onClose={close} />}
      <Suspense>
        {overlay === 'details' && <DetailsDialog page={page} onClose={close} />}
        {overlay === 'qr' && <QrDialog page={page} onClose={close} />}
      </Suspense>
    </header>
  )
}
