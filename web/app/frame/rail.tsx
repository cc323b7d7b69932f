import { useQuery } from '@tanstack/preact-query'
import {
  ChartNoAxesColumn,
  CircleUser,
  Code,
  Ellipsis,
  Files,
  Inbox,
  type LucideIcon,
  Search,
  ServerCog,
} from 'lucide-preact'
import { useRef } from 'preact/compat'
import { Link, useLocation } from 'wouter-preact'
import { formatNumber } from '../../../src/model/numbers.ts'
import { useAccount, useBoot, useIsHydrated } from '../account.ts'
import type { Account } from '../api.ts'
import { inboxCountQuery } from '../inbox/queries.ts'

const MOST = 99

interface Place {
  path: string
  name: string
  icon: LucideIcon
  Count?: typeof InboxCount
}

const PLACES: Place[] = [
  { path: '', name: 'Pages', icon: Files },
  { path: '/inbox', name: 'Inbox', icon: Inbox, Count: InboxCount },
  { path: '/analytics', name: 'Analytics', icon: ChartNoAxesColumn },
  { path: '/developer', name: 'Developer', icon: Code },
  { path: '/account', name: 'Account', icon: CircleUser },
]
const OPERATOR: Place = { path: '/admin', name: 'Operator', icon: ServerCog }
/** How many places a phone’s bar shows; the others are behind More. */
const ON_PHONES = 3

/** A guest opens the pages that invite it, and has none itself. */
export function places({ is_operator: isOperator, is_guest: isGuest }: Account): Place[] {
  if (isGuest) return PLACES.filter(({ path }) => path === '/account')
  return isOperator ? [...PLACES, OPERATOR] : PLACES
}

/** The rail on the left; icons alone on narrow screens, a bar at the bottom on phones. */
export function Rail({ onSearch }: { onSearch(): void }) {
  const account = useAccount()
  const all = places(account)
  const { server_name: server } = useBoot()
  const [initial = ''] = server
  return (
    <>
      <nav
        aria-label="Main"
        className="fixed inset-y-0 left-0 hidden w-16 flex-col gap-1 border-r border-line p-3 md:flex lg:w-54 print:hidden"
      >
        <Link
          href=""
          aria-label={server}
          className="mb-4 px-2.5 py-1 font-serif text-21 leading-tight font-semibold break-words max-lg:text-center max-lg:text-17"
        >
          {initial}
          <span className="max-lg:sr-only">{server.slice(initial.length)}</span>
        </Link>
        {all.map((place) => (
          <PlaceLink
            key={place.path}
            place={place}
            size={18}
            className="flex min-h-9 items-center gap-3 rounded-control px-2.5 text-muted hover:bg-sunk hover:text-ink aria-[current]:bg-sunk aria-[current]:font-medium aria-[current]:text-ink"
            nameClass="max-lg:sr-only"
            countClass="ml-auto max-lg:absolute max-lg:-top-0.5 max-lg:-right-0.5"
          />
        ))}
        <button
          type="button"
          onClick={onSearch}
          className="mt-auto flex min-h-9 items-center gap-3 rounded-control px-2.5 text-muted hover:bg-sunk hover:text-ink"
        >
          <Search size={18} />
          <span className="max-lg:sr-only">Search</span>
          <kbd className="ml-auto text-12 max-lg:hidden">
            {useIsHydrated() ? MODIFIER : 'Ctrl'} K
          </kbd>
        </button>
      </nav>
      <PhoneBar all={all} onSearch={onSearch} />
    </>
  )
}

export const MODIFIER = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl'

interface PlaceLinkProps {
  place: Place
  /** Of the icon, in pixels. */
  size: number
  className: string
  nameClass?: string
  countClass: string
}

function PlaceLink({ place, size, className, nameClass, countClass }: PlaceLinkProps) {
  const { path, name, icon: Icon, Count } = place
  return (
    <Link
      href={path}
      aria-current={useIsCurrent(path) ? 'page' : undefined}
      title={nameClass && name}
      className={`relative ${className}`}
    >
      <Icon size={size} />
      <span className={nameClass}>{name}</span>
      {Count && <Count className={countClass} />}
    </Link>
  )
}

function useIsCurrent(path: string): boolean {
  const [location] = useLocation()
  if (path === '') return location === '/' || /^\/(pages|new)(\/|$)/.test(location)
  return location === path || location.startsWith(`${path}/`)
}

function PhoneBar({ all, onSearch }: { all: Place[]; onSearch(): void }) {
  const more = useRef<HTMLDivElement>(null)
  const close = () => more.current?.hidePopover()
  const shape =
    'grid min-h-14 flex-1 place-content-center justify-items-center gap-0.5 text-12 text-muted ' +
    '-outline-offset-2'
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-paper pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {all.slice(0, ON_PHONES).map((place) => (
        <PlaceLink
          key={place.path}
          place={place}
          size={20}
          className={`${shape} aria-[current]:text-ink`}
          countClass="absolute bottom-[55%] left-1/2 ml-2"
        />
      ))}
      <button type="button" popoverTarget="more" className={shape}>
        <Ellipsis size={20} />
        More
      </button>
      <div
        ref={more}
        id="more"
        popover="auto"
        className="inset-x-3 top-auto bottom-18 m-0 w-auto rounded-card border border-line bg-raised p-2 text-ink shadow-float"
      >
        {all.slice(ON_PHONES).map(({ path, name, icon: Icon }) => (
          <Link
            key={path}
            href={path}
            onClick={close}
            className="flex min-h-11 items-center gap-3 rounded-control px-3 hover:bg-sunk"
          >
            <Icon size={18} />
            {name}
          </Link>
        ))}
        <button
          type="button"
          onClick={() => {
            close()
            onSearch()
          }}
          className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 hover:bg-sunk"
        >
          <Search size={18} />
          Search and commands
        </button>
      </div>
    </nav>
  )
}

function InboxCount({ className: own }: { className: string }) {
  const { data: unread = 0 } = useQuery(inboxCountQuery)
  if (unread === 0) return null
  return (
    <span className={`rounded-full bg-accent px-1.5 text-12 font-medium text-on-accent ${own}`}>
      {unread > MOST ? `${MOST}+` : formatNumber(unread)}
      <span className="sr-only"> unread</span>
    </span>
  )
}
