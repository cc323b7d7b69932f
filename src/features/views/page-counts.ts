import type { Timestamp } from '../../platform/clock.ts'
import type { ConfirmedViews } from './confirmed/store.ts'
import type { FacetCount, Fact } from './facets.ts'

/** Who views, as far as it is counted. */
export interface Viewer {
  /**
   * The client's address and program tell the visitors of one day apart. Only a hash of both is
   * stored, until the end of the day.
   */
  address: string
  program: string
  /** What a gate of the page has confirmed; null elsewhere. */
  confirmed: { email: string; manifestId: string | null } | null
}

/** What is known of a view. */
export interface SeenView {
  /** The hour of UTC since the epoch, by `hourOf`; read from the clock otherwise. */
  hour?: number | undefined
  viewer?: Viewer | undefined
  facts?: readonly Fact[] | undefined
  /** A list that many views share, which is counted as one. */
  sharedFacts?: readonly Fact[] | undefined
}

/** What was counted of a page and is not in the database yet. */
export interface PageCounts {
  views: number
  /** The different clients: their address and program. */
  clients: Set<string>
  /** By address of the viewer. */
  confirmed: Map<string, ConfirmedViews>
  /** By facet and value. */
  facts: Map<string, FacetCount>
  /** How often each shared list was counted. */
  lists: Map<readonly Fact[], { count: number }>
  /** Who viewed last: most views in a row are by one client. */
  last: Viewer | undefined
}

/** How many different things are still taken. What is beyond is not counted, except views. */
export interface Room {
  left: number
}

export function newPageCounts(): PageCounts {
  const [confirmed, facts, lists] = [new Map(), new Map(), new Map()]
  return { views: 0, clients: new Set(), confirmed, facts, lists, last: undefined }
}

/** Adds what is known of a view. The view itself is added to `views` by the caller. */
export function addSeen(
  counts: PageCounts,
  { viewer, facts, sharedFacts }: SeenView,
  { room, now }: { room: Room; now: () => Timestamp },
): void {
  if (viewer !== undefined) addViewer(counts, viewer, { room, now })
  if (sharedFacts !== undefined && sharedFacts.length > 0) addList(counts, sharedFacts, room)
  if (facts !== undefined && facts.length > 0) addFacts(counts, facts, room)
}

export function addFacts({ facts }: PageCounts, added: readonly Fact[], room: Room): void {
  for (const fact of added) {
    if (addFact(facts, fact, { count: 1, isFull: room.left <= 0 })) room.left -= 1
  }
}

/** What the counts have taken of the room. */
export function sizeOf({ clients, confirmed, facts, lists }: PageCounts): number {
  return clients.size + confirmed.size + facts.size + lists.size
}

/** Leaves the views alone. */
export function withoutDetails(counts: PageCounts): PageCounts {
  return { ...newPageCounts(), views: counts.views }
}

export function factsOf({ facts, lists }: PageCounts): FacetCount[] {
  const all = new Map([...facts].map(([key, fact]) => [key, { ...fact }]))
  for (const [list, { count }] of lists) {
    for (const fact of list) addFact(all, fact, { count, isFull: false })
  }
  return [...all.values()]
}

function addViewer(
  counts: PageCounts,
  viewer: Viewer,
  { room, now }: { room: Room; now: () => Timestamp },
): void {
  const { address, program, confirmed } = viewer
  const { last, clients } = counts
  if (address !== last?.address || program !== last.program) {
    const client = `${address} ${program}`
    if (!clients.has(client) && room.left > 0) {
      clients.add(client)
      room.left -= 1
    }
    counts.last = viewer
  }
  if (confirmed === null) return
  const known = counts.confirmed.get(confirmed.email)
  if (known === undefined && room.left <= 0) return
  if (known === undefined) room.left -= 1
  counts.confirmed.set(confirmed.email, { ...confirmed, views: (known?.views ?? 0) + 1, at: now() })
}

function addList({ lists }: PageCounts, list: readonly Fact[], room: Room): void {
  const known = lists.get(list)
  if (known !== undefined) known.count += 1
  else if (room.left > 0) {
    lists.set(list, { count: 1 })
    room.left -= 1
  }
}

/** @returns whether the fact is new among them */
function addFact(
  facts: PageCounts['facts'],
  [facet, value]: Fact,
  { count, isFull }: { count: number; isFull: boolean },
): boolean {
  const key = `${facet} ${value}`
  const known = facts.get(key)
  if (known !== undefined) known.count += count
  const isNew = known === undefined && !isFull
  if (isNew) facts.set(key, { facet, value, count, seconds: 0 })
  return isNew
}
