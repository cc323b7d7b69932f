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

interface WaitingViewDeps extends Pick<Services, 'clock' | 'slotFiles' | 'log'> {
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
export class WaitingViews {
  readonly #deps: WaitingViewDeps
  readonly #capacity = { remaining: MAX_DETAILS }
  readonly #frozen: Batch[] = []
  #current: Batch
  #file: SlotFile | null = null
  #noFileUntilMs = 0
  #failure: unknown = null
  #timer: Timer | undefined
  #counted = 0
  #running: Promise<unknown> = NOTHING
  #next: Promise<unknown> | null = null

  constructor(deps: WaitingViewDeps) {
    this.#deps = deps
    this.#current = { number: 1, hour: deps.hourNow(), pages: new Map() }
  }

  /** Counts a view at once. @returns false if the file has no free slot */
  add(pageId: string, view: SeenView): boolean {
    const { clock, hourNow } = this.#deps
    let page = this.#pageOf(pageId, view.hour ?? hourNow())
    if (page === undefined || page.slot === null) {
      const slot = this.#openSlot(pageId)
      if (slot === null) return false
      page ??= this.#insert(pageId, slot)
      page.slot = slot
    }
    this.#file!.add(page.slot!)
    this.#counted += 1
    page.counts.views += 1
    addSeen(page.counts, view, { capacity: this.#capacity, now: clock.now })
    return true
  }

  /** Counts facts apart from a view. They are dropped where too many wait. */
  addFacts(pageId: string, facts: readonly Fact[]): void {
    const page = this.#pageOf(pageId, this.#deps.hourNow())
    if (page === undefined && (facts.length === 0 || this.#capacity.remaining <= 0)) return
    addFacts((page ?? this.#insert(pageId, null)).counts, facts, this.#capacity)
  }

  /** Whether views of the page wait, and not facts alone. */
  isWaiting(pageId: string): boolean {
    return [this.#current, ...this.#frozen].some(
      ({ pages }) => (pages.get(pageId)?.slot ?? null) !== null,
    )
  }

  /** Whether the last try to move views failed. */
  get isFailing(): boolean {
    return this.#failure !== null
  }

  /** How many views it has counted, and how many of them wait. */
  totals(): { views: number; waiting: number } {
    const pages = [...this.#frozen, this.#current].flatMap((batch) => [...batch.pages.values()])
    const waiting = pages.reduce((sum, { counts }) => sum + counts.views, 0)
    return { views: this.#counted, waiting }
  }

  /** Moves all earlier counts. @returns the error; null on success */
  move(): Promise<unknown> {
    if (this.#frozen.length === 0 && this.#current.pages.size === 0) return NOTHING
    // Those who ask while a move is under way share the next one.
    this.#next ??= this.#running.then(() => {
      this.#next = null
      this.#running = this.#moveUpTo(this.#current.number)
      return this.#running
    })
    return this.#next
  }

  /** Makes the file before it is needed. */
  prepare(): void {
    this.#file ??= this.#createFile()
  }

  /** Moves everything and deletes the file, or leaves it to the next process. */
  async close(): Promise<void> {
    const err = await this.move()
    clearTimeout(this.#timer)
    if (this.#file === null) return
    const { id, remove, release } = this.#file
    this.#file = null
    if (err !== null) return release()
    remove()
    // Without its file, a row that stays says nothing.
    await this.#deps.batches.forgetFile(id).catch(() => {})
  }

  /** The page in the batch of this hour: views are counted in the hour in which they are served. */
  #pageOf(pageId: string, hour: number): WaitingPage | undefined {
    if (hour !== this.#current.hour) this.#freeze()
    return this.#current.pages.get(pageId)
  }

  #freeze(): void {
    const { number, pages } = this.#current
    if (pages.size > 0) this.#frozen.push(this.#current)
    this.#current = { number: number + 1, hour: this.#deps.hourNow(), pages: new Map() }
  }

  #insert(pageId: string, slot: number | null): WaitingPage {
    const page = { counts: newPageCounts(), slot }
    const { pages } = this.#current
    pages.set(pageId, page)
    this.#schedule(this.isFailing ? RETRY_AFTER_MS : MOVE_AFTER_MS)
    if (pages.size === MAX_PAGES && !this.isFailing) void this.move()
    return page
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.move()
    }, afterMs).unref()
  }

  #openSlot(pageId: string): number | null {
    this.prepare()
    const { hour, number } = this.#current
    const slot = this.#file?.open({ key: pageId, group: hour, batch: number }) ?? null
    // The file is full: a move frees slots.
    if (slot === null) void this.move()
    return slot
  }

  #createFile(): SlotFile | null {
    if (performance.now() < this.#noFileUntilMs) return null
    const { slotFiles, log } = this.#deps
    try {
      return slotFiles.create()
    } catch (err) {
      this.#noFileUntilMs = performance.now() + NEW_FILE_AFTER_MS
      log.warn('there is no file to count views in: transactions count them', { err })
      return null
    }
  }

  /** @returns why a batch could not be moved; null where none is left up to this one */
  async #moveUpTo(last: number): Promise<unknown> {
    const { log } = this.#deps
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      while (this.#frozen.length > 0 || this.#hasCountsUpTo(last)) {
        if (this.#frozen.length === 0) this.#freeze()
        await this.#moveBatch(this.#frozen[0]!)
        this.#frozen.shift()
        if (this.isFailing) log.info('the views that waited were written to the database')
        this.#failure = null
      }
    } catch (err) {
      if (!this.isFailing) {
        log.error('views wait in memory: the database cannot be written, and is tried again', {
          err,
        })
      }
      this.#failure = err
      for (const page of this.#frozen[0]?.pages.values() ?? []) this.#dropDetails(page)
      this.#schedule(RETRY_AFTER_MS)
    }
    return this.#failure
  }

  #hasCountsUpTo(last: number): boolean {
    return this.#current.number <= last && this.#current.pages.size > 0
  }

  async #moveBatch({ number, hour, pages }: Batch): Promise<void> {
    const { batches, onGone } = this.#deps
    const hasSlots = pages.values().some(({ slot }) => slot !== null)
    const counts = [...pages].map(([pageId, page]) => [pageId, page.counts] as const)
    const fileId = hasSlots ? this.#file!.id : null
    const missingIds = await batches.store({ fileId, number, hour, pages: counts })
    missingIds.forEach(onGone)
    for (const { counts, slot } of pages.values()) {
      this.#capacity.remaining += sizeOf(counts)
      if (slot !== null) this.#file!.free([slot])
    }
  }

  /** Drops the facts, which may be the reason for the failure. The views stay. */
  #dropDetails(page: WaitingPage): void {
    this.#capacity.remaining += sizeOf(page.counts)
    page.counts = { ...newPageCounts(), views: page.counts.views }
  }
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
interface Capacity {
  remaining: number
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

function addFacts({ facts }: PageCounts, added: readonly Fact[], capacity: Capacity): void {
  for (const fact of added) {
    if (addFact(facts, fact, { count: 1, isFull: capacity.remaining <= 0 })) capacity.remaining -= 1
  }
}

/** How much of the capacity the counts use. */
function sizeOf({ clients, confirmed, facts, lists }: PageCounts): number {
  return clients.size + confirmed.size + facts.size + lists.size
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
    if (!clients.has(client) && capacity.remaining > 0) {
      clients.add(client)
      capacity.remaining -= 1
    }
    counts.last = viewer
  }
  if (confirmed === null) return
  const viewerCounts = counts.confirmed.get(confirmed.email)
  if (viewerCounts === undefined && capacity.remaining <= 0) return
  if (viewerCounts === undefined) capacity.remaining -= 1
  counts.confirmed.set(confirmed.email, {
    ...confirmed,
    views: (viewerCounts?.views ?? 0) + 1,
    at: now(),
  })
}

function addList({ lists }: PageCounts, list: readonly Fact[], capacity: Capacity): void {
  const entry = lists.get(list)
  if (entry !== undefined) entry.count += 1
  else if (capacity.remaining > 0) {
    lists.set(list, { count: 1 })
    capacity.remaining -= 1
  }
}

/** @returns whether the fact is new among them */
function addFact(
  facts: PageCounts['facts'],
  [facet, value]: Fact,
  { count, isFull }: { count: number; isFull: boolean },
): boolean {
  const key = `${facet} ${value}`
  const entry = facts.get(key)
  if (entry !== undefined) entry.count += count
  const isNew = entry === undefined && !isFull
  if (isNew) facts.set(key, { facet, value, count, seconds: 0 })
  return isNew
}
