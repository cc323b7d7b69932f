import { useQuery } from '@tanstack/preact-query'
import {
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  FolderInput,
  Palette,
  Pencil,
  QrCode,
  Share2,
  Upload,
} from 'lucide-preact'
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'preact/compat'
import { Link, useLocation } from 'wouter-preact'
import { count } from '../../../src/model/numbers.ts'
import { useNow } from '../account.ts'
import { ApiError, api, type Page } from '../api.ts'
import { useCommands } from '../frame/palette.tsx'
import { NotFound, Screen, useTitle } from '../frame/screen.tsx'
import { focusOnce } from '../hooks.ts'
import { lastDayOf, moveToTrash, takeBack } from '../pages/actions.ts'
import { takeDropped } from '../publishing/dropped.ts'
import { chooseFiles } from '../publishing/source-buttons.tsx'
import { groupFiles } from '../publishing/sources.ts'
import { Button, buttonClass, IconButton, PrimaryButton, QuietButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { INPUT } from '../ui/field.tsx'
import { lazy } from '../ui/lazy.tsx'
import { NewTabLink } from '../ui/link.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/section.tsx'
import { Pending } from '../ui/states.tsx'
import { useAction } from '../use-action.ts'
import { WatchedDraft } from './preview/watched-draft.tsx'
import { StateMark } from './state-mark.tsx'
import { PageTab, PageTabs, SHARE } from './tabs.tsx'
import { downloadContent, pageQuery, usePublication, useSettings } from './use-page.ts'
import { accessInShort, nameOf, shownLink, stateOf } from './words.ts'

const DetailsDialog = lazy(() => import('./details/details-dialog.tsx'))
const QrDialog = lazy(() => import('./details/qr-dialog.tsx'))
const DeleteForGood = lazy(() => import('../pages/delete-for-good.tsx'))
const MoveDialog = lazy(() => import('../pages/move-dialog.tsx'))
const ShareDialog = lazy(() => import('./share/share.tsx'))

export default function PageScreen({ id, tab }: { id: string; tab: string }) {
  const { data: page, error, refetch, isFetchedAfterMount } = useQuery(pageQuery(id))
  useTitle(page ? nameOf(page) : 'Page')
  const tabBelow = useTabBelow(tab)
  const isGone = error instanceof ApiError && error.status === 404
  /** What is typed on the screen of a page stays, where the page goes to the trash meanwhile. */
  const openedId = useRef('')
  if (page === undefined) {
    if (isGone) return <NotFound />
    return <Pending isScreen error={error} onRetry={refetch} rows={8} />
  }
  if (page.trashed_at === null && isFetchedAfterMount) openedId.current = id
  if (page.trashed_at !== null && openedId.current !== id) return <TrashedPage page={page} />
  if (tab === 'watch') return <WatchedDraft page={page} />
  return (
    <>
      {(isGone || page.trashed_at !== null) && <Gone page={page} isDeleted={isGone} />}
      <PageHeader page={page} tab={tabBelow} isSharing={tab === SHARE} />
      <PageTab page={page} tab={tabBelow} />
    </>
  )
}

/** The screen of a page in the trash: it is taken back before anything else. */
function TrashedPage({ page }: { page: Page }) {
  const [, navigate] = useLocation()
  const leave = () => navigate('?state=trash')
  const remove = () => openDialog(<DeleteForGood pages={[page]} onDone={leave} />)
  return (
    <Screen title={nameOf(page)}>
      <p className="-mt-3 mb-6 max-w-xl text-muted">
        It is in the trash until {lastDayOf(page.trashed_at!)}. Its link shows nobody anything.
        Taken back, it is what it was, with its address, people, responses and comments.
      </p>
      <div className="flex flex-wrap gap-2">
        <PrimaryButton onClick={() => void takeBack([page])}>Take back</PrimaryButton>
        <Button onClick={remove}>Delete for good</Button>
      </div>
    </Screen>
  )
}

/** What was typed on the screen of a page that is deleted, or in the trash, stays there. */
function Gone({ page, isDeleted }: { page: Page; isDeleted: boolean }) {
  return (
    <div className="mb-4">
      <Notice
        isAlert
        actions={
          isDeleted ? (
            <Link href="" className={buttonClass()}>
              See all your pages
            </Link>
          ) : (
            <Button onClick={() => void takeBack([page])}>Take back</Button>
          )
        }
      >
        This page was {isDeleted ? 'deleted' : 'moved to the trash'}, in another tab or by a
        program. Nothing here is saved any more:{' '}
        {isDeleted ? 'copy what you still need' : 'take it back to go on'}.
      </Notice>
    </div>
  )
}

/** The sharing dialog stands over the tab that it was opened from, or over the preview. */
function useTabBelow(tab: string): string {
  const last = useRef('')
  useEffect(() => {
    if (tab !== SHARE) last.current = tab
  })
  return tab === SHARE ? last.current : tab
}

function PageHeader({ page, tab, isSharing }: { page: Page; tab: string; isSharing: boolean }) {
  const [, navigate] = useLocation()
  const open = (Overlay: ComponentType<{ page: Page }>) => () => openDialog(<Overlay page={page} />)
  const { publish } = usePublication(page)
  // The editor has a button of its own, which saves first.
  const canPublish = tab !== 'edit' && (!page.is_published || page.has_unpublished_changes)
  const { id } = page
  const path = `/pages/${id}`
  const below = tab ? `${path}/${tab}` : path
  const duplicate = useAction(() => api.duplicatePage({ id }), {
    said: 'Copied as a draft',
    refresh: [['pages']],
    onDone: ({ data }) => navigate(`/pages/${data.id}`),
  })
  function remove(): void {
    void moveToTrash([page])
    navigate('')
  }
  /** In the menu, and by longer names in the palette. */
  const actions = [
    {
      label: 'Replace the content…',
      command: 'Replace the content of this page',
      icon: Upload,
      // What a drop on this screen does.
      onSelect: () => chooseFiles((files) => void takeDropped(groupFiles(files), { pageId: id })),
    },
    {
      label: 'Address and colour',
      command: 'Details of this page',
      icon: Palette,
      onSelect: open(DetailsDialog),
    },
    { label: 'QR code', command: 'QR code of this page', icon: QrCode, onSelect: open(QrDialog) },
    { label: 'Duplicate', command: 'Duplicate this page', icon: Copy, onSelect: duplicate.mutate },
    {
      label: 'Move to a folder',
      command: 'Move this page to a folder',
      icon: FolderInput,
      onSelect: () => openDialog(<MoveDialog pages={[page]} />),
    },
  ]
  useCommands(() => [
    { name: 'Share this page', run: () => navigate(`${path}/${SHARE}`) },
    { name: 'Edit this page', run: () => navigate(`${path}/edit`) },
    { name: 'Versions of this page', run: () => navigate(`${path}/versions`) },
    ...actions.map(({ command: name, onSelect: run }) => ({ name, run })),
    { name: 'Delete this page', run: remove },
  ])
  return (
    <header>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <TitleField page={page} />
        <div className="flex flex-wrap items-center gap-2">
          {canPublish && <PrimaryButton mutation={publish}>Publish</PrimaryButton>}
          <Button
            look={canPublish || tab === 'edit' ? 'plain' : 'primary'}
            icon={Share2}
            onClick={() => navigate(`${path}/${SHARE}`)}
          >
            Share
          </Button>
          <Menu
            label="More"
            icon={Ellipsis}
            items={[
              ...actions,
              {
                label:
                  page.kind === 'bundle' ? 'Download the draft as a zip' : 'Download the draft',
                icon: Download,
                onSelect: () => downloadContent(page),
              },
            ]}
          />
        </div>
      </div>
      <PageFacts page={page} onDelete={remove} />
      <PageTabs page={page} tab={tab} />
      <Suspense fallback={null}>
        {isSharing && <ShareDialog page={page} onClose={() => navigate(below)} />}
      </Suspense>
    </header>
  )
}

/** The link of the page, its state, who may open it, and how it is taken offline. */
function PageFacts({ page, onDelete }: { page: Page; onDelete(): void }) {
  const { unpublish } = usePublication(page)
  const path = `/pages/${page.id}`
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:mt-2">
      <div className="flex min-w-0 items-center gap-1">
        <NewTabLink
          href={page.url}
          className="inline-flex min-w-0 items-center gap-1.5 font-mono text-13 text-muted hover:text-ink"
        >
          <span className="truncate">{shownLink(page.url)}</span>
          <ExternalLink size={14} aria-label="opens in a new tab" className="shrink-0" />
        </NewTabLink>
        <CopyButton look="quiet" text={page.url} label="Copy link" />
      </div>
      <StateMark state={stateOf(page, useNow())} />
      <Link href={`${path}/${SHARE}`} className="text-13 text-muted hover:text-ink">
        {accessInShort(page)}
      </Link>
      <Link href={`${path}/analytics`} className="text-13 text-muted hover:text-ink max-sm:hidden">
        {count(page.views, 'view')}
      </Link>
      <div className="-mx-3 flex sm:ml-auto">
        {page.is_published && (
          <QuietButton className="text-13! text-muted!" mutation={unpublish}>
            Unpublish
          </QuietButton>
        )}
        <QuietButton className="text-13! text-muted! hover:text-danger!" onClick={onDelete}>
          Delete page
        </QuietButton>
      </div>
    </div>
  )
}

/** The title, which is edited in its place: Enter saves, Escape leaves it as it was. */
function TitleField({ page }: { page: Page }) {
  const [text, setText] = useState<string | null>(null)
  const rename = useRef<HTMLButtonElement>(null)
  const { mutate } = useSettings(page)
  const start = () => setText(page.title ?? '')

  function save(value: string): void {
    const title = value.trim()
    setText(null)
    // A title that is refused, as another page has it, is there to be changed.
    const onError = () => setText(title)
    if (title !== '' && title !== page.title) mutate({ title }, { onError })
  }
  if (text === null) {
    return (
      <div className="group flex min-w-0 items-center gap-1 sm:flex-1">
        <h1 className="line-clamp-3 min-w-0 font-serif text-28 font-medium" dir="auto">
          {nameOf(page)}
        </h1>
        <IconButton ref={rename} label="Rename" onClick={start} icon={Pencil} />
      </div>
    )
  }
  return (
    <input
      aria-label="Title"
      className={`${INPUT} max-w-lg font-serif text-28!`}
      maxLength={200}
      value={text}
      // The field replaces the title that was pressed, so the keyboard belongs to it.
      ref={focusOnce}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={({ currentTarget }) => save(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.value = page.title ?? ''
        if (key !== 'Enter' && key !== 'Escape') return
        currentTarget.blur()
        // Once it is rendered.
        setTimeout(() => rename.current?.focus())
      }}
    />
  )
}
