import { Ellipsis, ListFilter } from 'lucide-preact'
import { useState } from 'preact/compat'
import { Link, useLocation } from 'wouter-preact'
import { formatNumber } from '../../../src/model/numbers.ts'
import { QuietButton } from '../ui/button.tsx'
import { openDialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Menu } from '../ui/menu.tsx'
import { Chooser } from '../ui/picker.tsx'
import { useCurrentInView } from '../ui/tab-links.tsx'
import { moveTo, type Named, pagesIn } from './actions.ts'
import { type Filters, queryOf } from './filters.ts'
import { isShown, removeView, useFolders, useViews, type View } from './views.ts'

const names = () => import('./names.tsx')
const NameView = lazy(async () => ({ default: (await names()).NameView }))
const RenameFolder = lazy(async () => ({ default: (await names()).RenameFolder }))

/** What a row that is dragged brings: its pages with their names. */
export const DRAGGED = 'application/x-handbill-pages'

/** With more folders, those after them and the open one are in a list that is searched. */
const MOST_IN_LINE = 12

/** Above the list: its folders, which take the pages that are dropped on them, views, the trash. */
export function FolderLine({ filters }: { filters: Filters }) {
  const folders = useFolders()
  const { folder, state } = filters
  const isTrash = state === 'trash'
  const views = useViews()
  const current = views.find((view) => isShown(view, filters))
  // One that has no page any more is still shown.
  const isGone = folder !== undefined && !folders.some(({ name }) => name === folder)
  const names = [...folders.map(({ name }) => name), ...(isGone ? [folder] : [])]
  const nav = useCurrentInView([filters, folders, views])
  const inLine = names.filter((name, at) => at < MOST_IN_LINE || name === folder)
  const sizes = new Map(folders.map(({ name, pages }) => [name, pages]))
  const [, navigate] = useLocation()
  const choose = () => {
    const commands = folders.map(({ name, pages }) => ({
      id: name,
      name: `${name} (${formatNumber(pages)})`,
      run: () => navigate(`?${queryOf({ folder: name })}`),
    }))
    openDialog(<Chooser label="Choose a folder" prompt="Search folders" commands={commands} />)
  }
  return (
    <nav
      ref={nav}
      aria-label="Folders"
      className="relative -mx-4 mb-3 flex ring-room items-center gap-1 overflow-x-auto border-b border-line px-4 sm:-mx-1 sm:px-1"
    >
      <Place name="All" isCurrent={!current && folder === undefined && !isTrash} moves={null} />
      {inLine.map((name) => (
        <Place
          key={name}
          name={name}
          size={sizes.get(name) ?? 0}
          filters={{ folder: name }}
          isCurrent={!current && folder === name}
          moves={name}
        />
      ))}
      {!current && folder !== undefined && !isGone && <FolderMenu key={folder} name={folder} />}
      {names.length > inLine.length && (
        <QuietButton className="shrink-0 text-13!" onClick={choose}>
          All folders ({formatNumber(folders.length)})
        </QuietButton>
      )}
      {views.map((view) => (
        <Place key={view.name} {...view} isView isCurrent={view === current} />
      ))}
      {current && <ViewMenu key={current.name} view={current} />}
      <span className="ml-auto" />
      <Place name="Trash" filters={{ state: 'trash' }} isCurrent={!current && isTrash} />
    </nav>
  )
}

interface PlaceProps {
  name: string
  size?: number
  isView?: boolean
  /** What it shows; all, if left out. */
  filters?: Filters
  isCurrent: boolean
  /** The folder that dropped pages go to; left out where none can be dropped. */
  moves?: string | null
}

function Place({ name, size, isView, filters = {}, isCurrent, moves }: PlaceProps) {
  const [isOver, setOver] = useState(false)
  const search = queryOf(filters)
  const takes = ({ dataTransfer }: DragEvent) =>
    moves !== undefined && dataTransfer?.types.includes(DRAGGED) === true
  return (
    <Link
      href={search === '' ? '' : `?${search}`}
      aria-current={isCurrent ? 'page' : undefined}
      dir="auto"
      onDragOver={(event: DragEvent) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        setOver(false)
        if (!takes(event)) return
        event.preventDefault()
        void moveTo(JSON.parse(event.dataTransfer!.getData(DRAGGED)) as Named[], moves!)
      }}
      className={`inline-flex min-h-9 max-w-60 shrink-0 items-center gap-1.5 border-b-2 px-2 text-13 whitespace-nowrap hover:text-ink pointer-coarse:min-h-11 ${isCurrent ? 'border-accent text-ink' : 'border-transparent text-muted'} ${isOver ? 'rounded-control bg-sunk text-ink outline-2 outline-accent' : ''}`}
    >
      {isView && <ListFilter size={14} aria-hidden className="shrink-0" />}
      <span className="truncate">{name}</span>
      {size !== undefined && <span className="text-12 text-muted tabular-nums">{size}</span>}
    </Link>
  )
}

function FolderMenu({ name }: { name: string }) {
  const rename = () => openDialog(<RenameFolder name={name} />)
  const remove = async () => moveTo(await pagesIn(name), null)
  return (
    <Menu
      label={`Folder ${name}`}
      icon={<Ellipsis size={16} />}
      items={[
        { label: 'Rename the folder', onSelect: rename },
        { label: 'Remove the folder, keep its pages', onSelect: () => void remove() },
      ]}
    />
  )
}

function ViewMenu({ view }: { view: View }) {
  const rename = () => openDialog(<NameView {...view} />)
  return (
    <Menu
      label={`View ${view.name}`}
      icon={<Ellipsis size={16} />}
      items={[
        { label: 'Rename the view', onSelect: rename },
        { label: 'Delete the view, keep its pages', onSelect: () => void removeView(view) },
      ]}
    />
  )
}

/** Offered where the list is filtered or sorted as no folder and no view is. */
export function SaveView({ filters }: { filters: Filters }) {
  const views = useViews()
  const { folder, ...others } = filters
  const isPlace = queryOf(others) === '' || queryOf(filters) === queryOf({ state: 'trash' })
  if (isPlace || views.some((view) => isShown(view, filters))) return null
  const save = () => openDialog(<NameView filters={filters} />)
  return (
    <QuietButton icon={ListFilter} className="text-13!" onClick={save}>
      Save this view
    </QuietButton>
  )
}
