import type { Timestamp } from '../../platform/clock.ts'
import type { ConfirmedViews } from './confirmed/store.ts'
import type { FacetCount, Fact } from './facets.ts'

export const HOUR_MS = 3_600_000

/** The hour of UTC since the epoch. @param ms milliseconds since the epoch */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS)
}

/** The viewer of a view, as far as it is counted. */
export interface Viewer {
  /**
   * The client's address and program identify a visitor for one day. Only a hash of both is stored,
   * until the end of the day.
   */
  address: string
  program: string
  /** What a gate of the page has confirmed; null elsewhere. */
  confirmed: { email: string; manifestId: string | null } | null
}

/** The facts of a view. */
export interface SeenView {
  /** The hour of UTC since the epoch, by `hourOf`; read from the clock otherwise. */
  hour?: number | undefined
  viewer?: Viewer | undefined
  facts?: readonly Fact[] | undefined
  /** A list that many views share, which is counted as one. */
  sharedFacts?: readonly Fact[] | undefined
}

/** Counts of a page that are not in the database yet. */
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
  /** The last viewer, cached: consecutive views are mostly by one client. */
  last: Viewer | undefined
}

/** How many more different viewers and facts are counted. Views are counted without a limit. */
export interface Capacity {
  left: number
}

export function newPageCounts(): PageCounts {
  const [confirmed, facts, lists] = [new Map(), new Map(), new Map()]
  return { views: 0, clients: new Set(), confirmed, facts, lists, last: undefined }
}

/** Adds the facts of a view. The view itself is added to `views` by the caller. */
export function addSeen(
  counts: PageCounts,
  { viewer, facts, sharedFacts }: SeenView,
  { capacity, now }: { capacity: Capacity; now: () => Timestamp },
): void {
  if (viewer !== undefined) addViewer(counts, viewer, { capacity, now })
  if (sharedFacts !== undefined && sharedFacts.length > 0) addList(counts, sharedFacts, capacity)
  if (facts !== undefined && facts.length > 0) addFacts(counts, facts, capacity)
}

export function addFacts({ facts }: PageCounts, added: readonly Fact[], capacity: Capacity): void {
  for (const fact of added) {
    if (addFact(facts, fact, { count: 1, isFull: capacity.left <= 0 })) capacity.left -= 1
  }
}

/** How much of the capacity the counts use. */
export function sizeOf({ clients, confirmed, facts, lists }: PageCounts): number {
  return clients.size + confirmed.size + facts.size + lists.size
}

/** Removes all counts except the views. */
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
  { capacity, now }: { capacity: Capacity; now: () => Timestamp },
): void {
  const { address, program, confirmed } = viewer
  const { last, clients } = counts
  if (address !== last?.address || program !== last.program) {
    const client = `${address} ${program}`
    if (!clients.has(client) && capacity.left > 0) {
      clients.add(client)
      capacity.left -= 1
    }
    counts.last = viewer
  }
  if (confirmed === null) return
  const known = counts.confirmed.get(confirmed.email)
  if (known === undefined && capacity.left <= 0) return
  if (known === undefined) capacity.left -= 1
  counts.confirmed.set(confirmed.email, { ...confirmed, views: (known?.views ?? 0) + 1, at: now() })
}

function addList({ lists }: PageCounts, list: readonly Fact[], capacity: Capacity): void {
  const known = lists.get(list)
  if (known !== undefined) known.count += 1
  else if (capacity.left > 0) {
    lists.set(list, { count: 1 })
    capacity.left -= 1
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
