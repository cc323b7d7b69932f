import { ExternalLink, File, FileText, Folder, Image, Layers } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { count, formatNumber } from '../../../src/model/numbers.ts'
import { useIsHydrated, useNow } from '../account.ts'
import type { ListedPage } from '../api.ts'
import { StateMark } from '../page/state-mark.tsx'
import { accessInShort, kindOf, nameOf, shownLink, stateOf } from '../page/words.ts'
import { CopyButton } from '../ui/copy.tsx'
import { NewTabLink } from '../ui/link.tsx'
import { Time } from '../ui/time.tsx'
import { lastDayOf } from './actions.ts'
import { type Filters, queryOf } from './filters.ts'
import { DRAGGED } from './folders.tsx'

const KINDS = {
  page: { icon: File, name: 'Page' },
  deck: { icon: Layers, name: 'Deck' },
  pdf: { icon: FileText, name: 'PDF' },
  image: { icon: Image, name: 'Image' },
}

/** The columns, shared by the names above them: two lines on a phone, one on wider screens,
 * and three where large letters leave no room for two. */
export const COLUMNS =
  'grid items-center gap-x-3 grid-cols-[2.25rem_auto_auto_minmax(0,1fr)_auto_auto] ' +
  '@min-[38.75rem]:grid-cols-[2.25rem_minmax(0,1fr)_9.5rem_5rem_6.5rem] ' +
  '@min-[60rem]:grid-cols-[2.25rem_minmax(0,1fr)_5.5rem_9.5rem_7.5rem_5.5rem_5.5rem_6.5rem]'

interface RowProps {
  page: ListedPage
  /** Its views by day; undefined where it has none. */
  days: readonly number[] | undefined
  /** What the list shows: the row’s folder is added to it. */
  filters: Filters
  isChosen: boolean
  /** Whether some page is chosen, so that every row shows its box. */
  isChoosing: boolean
  onChoose(id: string, isRange: boolean): void
  /** The pages that are dragged with the row. */
  dragged(): ListedPage[]
}

export function PageRow(props: RowProps) {
  const { page, days, filters, isChosen, dragged } = props
  const path = `/pages/${page.id}`
  const name = nameOf(page)
  const now = useNow()
  return (
    <tr
      data-id={page.id}
      // The link is what is dragged: it lies over the row.
      onDragStart={({ dataTransfer }) => {
        const names = dragged().map(({ id, title, slug }) => ({ id, title, slug }))
        dataTransfer?.setData(DRAGGED, JSON.stringify(names))
      }}
      className={`group relative border-b border-line py-2 focus-within:bg-sunk hover:bg-sunk @min-[38.75rem]:py-2.5 ${COLUMNS} ${isChosen ? 'bg-sunk' : ''}`}
    >
      <td className="row-span-2 @min-[60rem]:row-span-1">
        <Box {...props} />
      </td>
      <td className="col-span-3 min-w-0 @min-[38.75rem]:col-span-1 @min-[38.75rem]:row-span-2 @min-[60rem]:row-span-1">
        <Link
          href={path}
          dir="auto"
          className="block truncate @max-[20rem]:line-clamp-3 @max-[20rem]:whitespace-normal @max-[20rem]:wrap-anywhere text-left font-medium outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {name}
        </Link>
        <span className="hidden gap-2 text-12 text-muted @min-[38.75rem]:flex">
          <span className="truncate font-mono">{shownLink(page.url)}</span>
          {page.folder !== null && page.folder !== filters.folder && (
            <Link
              href={`?${queryOf({ ...filters, folder: page.folder })}`}
              title={`Show ${page.folder} alone`}
              dir="auto"
              className="relative z-10 inline-flex max-w-40 shrink-0 items-center gap-1 hover:text-ink hover:underline"
            >
              <Folder size={12} aria-hidden className="shrink-0" />
              <span className="truncate">{page.folder}</span>
            </Link>
          )}
        </span>
      </td>
      <td className="col-start-3 row-start-2 truncate text-13 text-muted @max-[20rem]:col-start-2 @max-[20rem]:row-start-3 @min-[60rem]:col-start-auto @min-[60rem]:row-start-auto">
        {accessInShort(page)}
      </td>
      <td className="col-start-2 row-start-2 truncate text-13 @max-[20rem]:col-end-7 @min-[38.75rem]:col-start-3 @min-[38.75rem]:row-start-1 @min-[60rem]:col-start-auto @min-[60rem]:row-start-auto">
        {page.trashed_at === null ? (
          <StateMark state={stateOf(page, now)} />
        ) : (
          `Until ${lastDayOf(page.trashed_at)}`
        )}
      </td>
      <td className="col-span-2 col-start-5 row-start-1 text-right text-13 tabular-nums @min-[38.75rem]:col-span-1 @min-[38.75rem]:col-start-4 @min-[38.75rem]:row-span-2 @min-[60rem]:col-start-auto @min-[60rem]:row-span-1 @min-[60rem]:row-start-auto">
        {days && (
          <span className="mr-2 hidden align-middle @min-[60rem]:inline-block">
            <Sparkline days={days} />
          </span>
        )}
        <Link
          href={`${path}/analytics`}
          className={`relative z-10 hover:underline ${page.views === 0 ? 'text-muted' : ''}`}
        >
          {formatNumber(page.views)}
          <span className="@min-[38.75rem]:sr-only"> {page.views === 1 ? 'view' : 'views'}</span>
        </Link>
      </td>
      <Count href={`${path}/responses`} value={page.responses} what="response" />
      <Count href={`${path}/comments`} value={page.open_comments} what="open comment" />
      <td className="col-span-3 col-start-4 row-start-2 truncate text-13 text-muted @max-[20rem]:row-start-3 @min-[38.75rem]:col-span-1 @min-[38.75rem]:col-start-5 @min-[38.75rem]:row-span-2 @min-[38.75rem]:row-start-1 @min-[38.75rem]:text-right @min-[60rem]:col-start-auto @min-[60rem]:row-span-1 @min-[60rem]:row-start-auto">
        <Time at={page.updated_at} />
      </td>
      {useIsHydrated() && page.trashed_at === null && <RowActions name={name} url={page.url} />}
    </tr>
  )
}

/** The icon of the kind, under its image where it is one: a box where one points at it. */
function Box({ page, isChosen, isChoosing, onChoose }: RowProps) {
  const isVisible = isChosen || isChoosing
  const { icon: Icon, name: kind } = KINDS[kindOf(page)]
  const image = imageOf(page)
  return (
    <label className="relative z-10 grid size-9 place-items-center select-none">
      <span
        className={`text-muted ${isVisible ? 'opacity-0' : 'group-hover:opacity-0 group-focus-within:opacity-0 pointer-coarse:group-hover:opacity-100'}`}
      >
        <Icon size={18} role="img" aria-label={kind} />
        {image !== null && (
          <img
            src={image}
            alt=""
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-9 rounded-control border border-line bg-paper object-cover"
          />
        )}
      </span>
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(page)}`}
        checked={isChosen}
        onClick={(event) => onChoose(page.id, event.shiftKey)}
        className={`absolute size-4 accent-accent ${isVisible ? '' : 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:opacity-0'}`}
      />
    </label>
  )
}

/** A number that leads to what it counts. None is shown faintly, and not at all on a phone. */
function Count({ href, value, what }: { href: string; value: number; what: string }) {
  return (
    <td className="row-start-2 hidden text-right text-13 tabular-nums @min-[60rem]:row-start-auto @min-[60rem]:block">
      {value === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Link href={href} aria-label={count(value, what)} className="relative z-10 hover:underline">
          {formatNumber(value)}
        </Link>
      )}
    </td>
  )
}

/** Over the end of a wide row while one points at it. A phone has them on the page’s screen. */
function RowActions({ name, url }: { name: string; url: string }) {
  return (
    <td className="absolute inset-y-0.5 right-0.5 z-10 flex min-w-26 items-center justify-end bg-sunk pl-2 opacity-0 @max-[38.75rem]:hidden group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden">
      <CopyButton isIcon text={url} label={`Copy link of ${name}`} />
      <NewTabLink
        href={url}
        aria-label="Open in a new tab"
        title="Open in a new tab"
        className="inline-grid size-9 place-items-center rounded-control text-muted hover:text-ink"
      >
        <ExternalLink size={16} />
      </NewTabLink>
    </td>
  )
}

/** Larger images would make the list slow: the icon stands for them. */
const MAX_IMAGE_BYTES = 1024 * 1024

/** The image that a page is; null of other kinds. */
function imageOf({ id, file, sha256 }: ListedPage): string | null {
  if (!file?.mime.startsWith('image/') || file.size_bytes > MAX_IMAGE_BYTES) return null
  return `/app/pages/${id}/image?${new URLSearchParams({ name: file.name, sha256: sha256 ?? '' })}`
}

const WIDTH = 56
const HEIGHT = 18
const BOX = { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }
/** So that the ends of the line are not cut. */
const EDGE = 1.5

/** Views by day as a small line. What it says stands in its name, too. */
function Sparkline({ days }: { days: readonly number[] }) {
  const total = days.reduce((sum, views) => sum + views, 0)
  const name = `${count(total, 'view')} in ${days.length} days`
  return (
    <svg role="img" aria-label={name} {...BOX} className="text-muted">
      <title>{name}</title>
      <polyline
        points={pointsOf(days)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The line goes from the bottom for no view to the top for the best day. */
export function pointsOf(days: readonly number[]): string {
  const most = Math.max(1, ...days)
  const step = (WIDTH - 2 * EDGE) / Math.max(1, days.length - 1)
  return days
    .map((views, at) => {
      const y = HEIGHT - EDGE - (views / most) * (HEIGHT - 2 * EDGE)
      return [EDGE + at * step, y].map((value) => Math.round(value * 10) / 10).join()
    })
    .join(' ')
}
