import type { Timestamp } from '../../platform/clock.ts'
import type { SlotFile } from '../../platform/mapped-files.ts'
import type { Services } from '../../platform/services.ts'
import type { ConfirmedViews } from './confirmed/store.ts'
import type { FacetCount, Fact } from './facets.ts'

/** The longest wait of a view, while the database can be written. */
const MOVE_AFTER_MS = 100
/** The delay before a retry after a failed write. */
const RETRY_AFTER_MS = 1000
/** The delay before a retry if no file could be made. */
const NEW_FILE_AFTER_MS = 60_000
/** A batch with so many pages is moved at once: a longer transaction would block others. */
const MAX_PAGES = 500
/** The limit of different waiting viewers and facts, for all pages together. */
const MAX_DETAILS = 50_000

/** Views of one hour, which one transaction moves to the database. */
interface Batch {
  number: number
  hour: number
  pages: Map<string, WaitingPage>
}
interface WaitingPage {
  counts: PageCounts
  /** Where its views are in the file. Null without one: it has facts alone. */
  slot: number | null
}

/** The counts of pages within one hour. */
export interface CountedBatch {
  /** The file that has its views; null where it has facts alone. */
  fileId: string | null
  /** Of the batches of its file: each is later than those before. */
  number: number
  hour: number
  pages: readonly (readonly [pageId: string, counts: PageCounts])[]
}

/** Where batches are moved to. */
export interface BatchStore {
  /** Adds a batch, once however often it is called. @returns pages that are gone */
  store(batch: CountedBatch): Promise<string[]>
  /** Deletes the record of a file's stored batches. Only after the file is deleted. */
  forgetFile(fileId: string): Promise<unknown>
}

export interface WaitingViewDeps extends Pick<Services, 'clock' | 'slotFiles' | 'log'> {
  batches: BatchStore
  hourNow(): number
  /** Called for views of a page that has been deleted. */
  onGone(pageId: string): void
}

/**
 * Counts views in a file that is mapped into memory, and moves them to the database soon after. If
 * the process is killed, no view is lost, because another process adds those of the file. Waiting
 * viewers and facts are lost.
 * Each batch has a number. The transaction that moves it stores the number too, so that it is added
 * once, even where the commit succeeded and its answer was lost.
 */
export function createWaitingViews(deps: WaitingViewDeps) {
  const { slotFiles, batches, log, clock, hourNow, onGone } = deps
  const capacity = { left: MAX_DETAILS }
  const frozen: Batch[] = []
  let current: Batch = { number: 1, hour: hourNow(), pages: new Map() }
  let file: SlotFile | null = null
  let failure: unknown = null
  let timer: Timer | undefined
  let noFileUntilMs = 0
  let counted = 0
  let running: Promise<unknown> = NOTHING
  let next: Promise<unknown> | null = null

  function freeze(): void {
    if (current.pages.size > 0) frozen.push(current)
    current = { number: current.number + 1, hour: hourNow(), pages: new Map() }
  }

  /** The page in the batch of this hour: views are counted in the hour in which they are served. */
  function pageOf(pageId: string, hour: number): WaitingPage | undefined {
    if (hour !== current.hour) freeze()
    return current.pages.get(pageId)
  }

  function insert(pageId: string, slot: number | null): WaitingPage {
    const page = { counts: newPageCounts(), slot }
    current.pages.set(pageId, page)
    schedule(failure === null ? MOVE_AFTER_MS : RETRY_AFTER_MS)
    if (current.pages.size === MAX_PAGES && failure === null) void move()
    return page
  }

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void move()
    }, afterMs).unref()
  }

  function openSlot(pageId: string): number | null {
    file ??= createFile()
    const { hour, number } = current
    const slot = file?.open({ key: pageId, group: hour, batch: number }) ?? null
    // The file is full: a move frees slots.
    if (slot === null) void move()
    return slot
  }

  function createFile(): SlotFile | null {
    if (performance.now() < noFileUntilMs) return null
    try {
      return slotFiles.create()
    } catch (err) {
      noFileUntilMs = performance.now() + NEW_FILE_AFTER_MS
      log.warn('there is no file to count views in: transactions count them', { err })
      return null
    }
  }

  async function moveBatch({ number, hour, pages }: Batch): Promise<void> {
    const hasSlots = pages.values().some(({ slot }) => slot !== null)
    const counts = [...pages].map(([pageId, page]) => [pageId, page.counts] as const)
    const fileId = hasSlots ? file!.id : null
    const gone = await batches.store({ fileId, number, hour, pages: counts })
    gone.forEach(onGone)
    for (const { counts, slot } of pages.values()) {
      capacity.left += sizeOf(counts)
      if (slot !== null) file!.free([slot])
    }
  }

  /** @returns why a batch could not be moved; null where none is left up to this one */
  async function moveUpTo(last: number): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    try {
      while (frozen.length > 0 || (current.number <= last && current.pages.size > 0)) {
        if (frozen.length === 0) freeze()
        await moveBatch(frozen[0]!)
        frozen.shift()
        if (failure !== null) log.info('the views that waited were written to the database')
        failure = null
      }
    } catch (err) {
      if (failure === null) {
        log.error('views wait in memory: the database cannot be written, and is tried again', {
          err,
        })
      }
      failure = err
      for (const page of frozen[0]?.pages.values() ?? []) dropDetails(page)
      schedule(RETRY_AFTER_MS)
    }
    return failure
  }

  /** Drops the facts, which may be the reason for the failure. The views stay. */
  function dropDetails(page: WaitingPage): void {
    capacity.left += sizeOf(page.counts)
    page.counts = withoutDetails(page.counts)
  }

  function move(): Promise<unknown> {
    if (frozen.length === 0 && current.pages.size === 0) return NOTHING
    // Those who ask while a move is under way share the next one.
    next ??= running.then(() => {
      next = null
      running = moveUpTo(current.number)
      return running
    })
    return next
  }

  return {
    /** Counts a view at once. @returns false if the file has no free slot */
    add(pageId: string, view: SeenView) {
      const { hour } = view
      let page = pageOf(pageId, hour ?? hourNow())
      if (page === undefined || page.slot === null) {
        const slot = openSlot(pageId)
        if (slot === null) return false
        page ??= insert(pageId, slot)
        page.slot = slot
      }
      file!.add(page.slot!)
      counted += 1
      page.counts.views += 1
      addSeen(page.counts, view, { capacity, now: clock.now })
      return true
    },
    /** Counts facts apart from a view. They are dropped where too many wait. */
    addFacts(pageId: string, facts: readonly Fact[]) {
      const page = pageOf(pageId, hourNow())
      if (page !== undefined) return addFacts(page.counts, facts, capacity)
      if (facts.length > 0 && capacity.left > 0)
        addFacts(insert(pageId, null).counts, facts, capacity)
    },
    /** Whether views of the page wait, and not facts alone. */
    isWaiting: (pageId: string) =>
      hasViews(current, pageId) || frozen.some((batch) => hasViews(batch, pageId)),
    /** Whether the last try to move views failed. */
    isFailing: () => failure !== null,
    /** How many views it has counted, and how many of them wait. */
    totals: () => ({ counted, waiting: [...frozen, current].reduce(addWaiting, 0) }),
    /** Moves all earlier counts. @returns the error; null on success */
    move,
    /** Makes the file before it is needed. */
    prepare() {
      file ??= createFile()
    },
    /** Moves everything and deletes the file, or leaves it to the next process. */
    async close() {
      const err = await move()
      clearTimeout(timer)
      if (file === null) return
      const { id, remove, release } = file
      file = null
      if (err !== null) return release()
      remove()
      // Without its file, a row that stays says nothing.
      await batches.forgetFile(id).catch(() => {})
    },
  }
}

function hasViews({ pages }: Batch, pageId: string): boolean {
  return (pages.get(pageId)?.slot ?? null) !== null
}

function addWaiting(sum: number, { pages }: Batch): number {
  return [...pages.values()].reduce((total, { counts }) => total + counts.views, sum)
}

const NOTHING: Promise<unknown> = Promise.resolve(null)

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
