import type { Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import type { FacetCount, Views } from '../views/index.ts'
import { MAX_PARTS } from './contract.ts'
import { MAX_SECONDS, stepOf } from './reports.ts'
import * as store from './store.ts'

const DAY_MS = 24 * 3_600_000
/** The limit of views of a page whose time is measured on one day. Reports say how many were. */
const MAX_MEASURED = 10_000
/** The longest view whose time counts. */
const MAX_AGE_MS = DAY_MS

/** A view that was counted, as the token of its document proves. */
export interface OpenView {
  pageId: string
  /** Identifies the view. */
  view: string
  startedMs: number
  /** The confirmed address of the viewer; null where no gate asked for one. */
  email: string | null
  /** The named link that it came by, and the browser that did. */
  link?: { id: string; browser: string } | null
}

/** The time of a view since it began, and of the parts of the page that were on the screen. */
interface ViewTime {
  seconds: number
  parts: readonly TimedPart[]
}
export interface TimedPart {
  facet: 'file' | 'section' | 'sheet'
  value: string
  seconds: number
}

export interface MeasuringDeps extends Pick<Services, 'database' | 'clock'> {
  views: Pick<Views, 'addFacets' | 'addProgress' | 'flush'>
  links: Pick<Views, 'addProgress'>
}

export function createMeasuring({ database, clock, views, links }: MeasuringDeps) {
  async function record(tx: Tx, open: OpenView, time: ViewTime): Promise<void> {
    const { pageId, view, startedMs, email, link = null } = open
    const day = Math.floor(startedMs / DAY_MS)
    const row = await store.findMeasured(tx, [pageId, day, view])
    if (!row && (await store.countMeasured(tx, [pageId, day])) >= MAX_MEASURED) return
    const before = row
      ? { seconds: row.seconds, parts: new Map(JSON.parse(row.parts) as [string, number][]) }
      : null
    const elapsed = Math.ceil((clock.ms() - startedMs) / 1000)
    const seconds = Math.max(
      before?.seconds ?? 0,
      Math.min(time.seconds, MAX_SECONDS, Math.max(0, elapsed)),
    )
    const parts = mergeParts(before?.parts ?? new Map(), time.parts, seconds)
    const key = { page_id: pageId, day, view }
    await store.saveMeasured(tx, { ...key, seconds, parts: JSON.stringify([...parts]) })
    const added = additionsOf(before, { seconds, parts })
    if (added.length > 0) await views.addFacets(tx, { pageId, day }, added)
    const { lastSheet, sections } = reachedIn(parts)
    const more = seconds - (before?.seconds ?? 0)
    if (link) await links.addProgress(tx, [link.id, link.browser, more, lastSheet, sections])
    if (email !== null) await views.addProgress(tx, [pageId, email, more, lastSheet, sections])
  }

  return {
    /**
     * Stores the time of a view and replaces the time reported before, so that a report which
     * arrives twice counts once. The time is limited to that since the view began.
     */
    async recordTime(view: OpenView, time: ViewTime) {
      if (clock.ms() - view.startedMs > MAX_AGE_MS) return
      // Their progress is added to the row that the view makes.
      if (view.email !== null) await views.flush()
      await database.write((tx) => record(tx, view, time), 'relaxed')
    },
    async sweep() {
      const yesterday = Math.floor((clock.ms() - MAX_AGE_MS) / DAY_MS)
      await store.deleteMeasured(database, [yesterday])
    },
  }
}

interface Totals {
  seconds: number
  /** The key is `facet value`. */
  parts: Map<string, number>
}

/** The time of a part never decreases, and never exceeds that of the view. */
function mergeParts(
  before: ReadonlyMap<string, number>,
  parts: readonly TimedPart[],
  most: number,
): Map<string, number> {
  const merged = new Map(before)
  for (const { facet, value, seconds } of parts) {
    const key = `${facet} ${value}`
    const part = merged.get(key)
    if (part === undefined && merged.size >= MAX_PARTS) continue
    merged.set(key, Math.max(part ?? 0, Math.min(seconds, most)))
  }
  return merged
}

/** The changes to the counts of a page that a report of a view makes. */
function additionsOf(before: Totals | null, after: Totals): FacetCount[] {
  const [step, earlier] = [stepOf(after.seconds), before && stepOf(before.seconds)]
  const seconds = after.seconds - (before?.seconds ?? 0)
  const added: FacetCount[] = []
  if (step !== earlier || seconds > 0) {
    const count = step === earlier ? 0 : 1
    added.push({ facet: 'duration', value: String(step), count, seconds })
    if (earlier !== null && count > 0) {
      added.push({ facet: 'duration', value: String(earlier), count: -1, seconds: 0 })
    }
  }
  for (const [key, total] of after.parts) {
    const part = before?.parts.get(key)
    const more = total - (part ?? 0)
    const [facet, value] = splitKey(key)
    // Opens of a file are counted where it is served.
    const count = part === undefined && facet !== 'file' ? 1 : 0
    if (count > 0 || more > 0) added.push({ facet, value, count, seconds: more })
  }
  return added
}

/** How far: the last page of a PDF, and how many sections of a deck, or files without any. */
function reachedIn(parts: ReadonlyMap<string, number>) {
  const keys = [...parts.keys()].map(splitKey)
  const valuesOf = (of: TimedPart['facet']) =>
    keys.filter(([facet]) => facet === of).map(([, value]) => value)
  const lastSheet = valuesOf('sheet').reduce((last, value) => Math.max(last, Number(value)), 0)
  return { lastSheet, sections: valuesOf('section').length || valuesOf('file').length }
}

function splitKey(key: string): [facet: TimedPart['facet'], value: string] {
  const space = key.indexOf(' ')
  return [key.slice(0, space) as TimedPart['facet'], key.slice(space + 1)]
}
