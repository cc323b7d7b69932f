import type { Batches } from '../../model/batches.ts'
import { refuse } from '../../model/errors.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Db } from '../../platform/db/index.ts'
import type { WriteStep } from '../../platform/db/long-write.ts'
import * as confirmedStore from './confirmed/store.ts'
import type { Facet, FacetCount } from './facets.ts'
import * as store from './store.ts'

const DAY_MS = 24 * 3_600_000
const DAYS_AT_ONCE = 7
const VIEWERS_AT_ONCE = 500

/**
 * The form of each facet's values on this server. Other values are refused, such as an address of a
 * visitor or the path of a referring page.
 */
const FORMS: Record<Facet, RegExp> = {
  referrer: /^[^\s/?#@\p{C}]{1,100}$/u,
  country: /^(?:[A-Z]{2}|other)$/,
  device: /^[a-z]{1,20}$/,
  browser: /^[\w .]{1,40}$/,
  file: /^[^\p{Cc}]{1,1024}$/u,
  section: /^[^\p{Cc}]{1,1200}$/u,
  sheet: /^(?:[1-9]\d{0,5}|other)$/,
  duration: /^\d{1,3}$/,
  refusal: /^[a-z_]{1,40}$/,
}

export interface GivenFacet extends FacetCount {
  /** Days since the epoch, in UTC. */
  day: number
}

/** All counts of a page's facets for an export, by day and facet. */
export async function* facetsOf(db: Db, pageId: string): AsyncGenerator<GivenFacet> {
  for (let from = 0; ; from += DAYS_AT_ONCE) {
    const first = await store.findFirstFacetDay(db, pageId, from)
    if (first === null) return
    from = first
    const rows = await store.listFacets(db, pageId, { from, to: from + DAYS_AT_ONCE })
    yield* rows.sort((a, b) => a.day - b.day || compare(a.facet, b.facet))
  }
}

/** All confirmed viewers of a page for an export. */
export async function* confirmedOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const rows = await confirmedStore.listAfter(db, pageId, { after, limit: VIEWERS_AT_ONCE })
    for (const { page_id: _page, ...row } of rows) yield row
    if (rows.length < VIEWERS_AT_ONCE) return
    after = rows.at(-1)!.email
  }
}

/**
 * Stores the facets of an imported page.
 *
 * @param given by day and facet
 * @throws Refusal `invalid_parameter` where this server would not have counted them
 */
export async function importFacets(
  step: WriteStep,
  { pageId, nowMs }: { pageId: string; nowMs: number },
  given: Batches<GivenFacet>,
): Promise<void> {
  // The other server's clock may be ahead.
  const last = Math.floor(nowMs / DAY_MS) + 1
  let values = new Set<string>()
  let previous: GivenFacet | null = null
  for (const batch of given) {
    for (const row of batch) {
      const order = previous === null ? 1 : compareFacets(row, previous)
      if (order !== 0) values = new Set()
      if (order < 0 || values.has(row.value)) throw refused('not in their order, or counted twice')
      values.add(row.value)
      if (values.size > store.maxValuesOf(row.facet)) throw refused('of more values than a day has')
      if (row.day > last || !FORMS[row.facet].test(row.value)) throw refused('not as they must be')
      previous = row
    }
    await step((tx) => store.insertFacets(tx, pageId, batch))
  }
}

export type GivenViewer = Omit<confirmedStore.ConfirmedViewer, 'page_id' | 'imported_at'>

/**
 * Stores the confirmed viewers of an imported page. They are marked: another server confirmed
 * their addresses.
 *
 * @throws Refusal `invalid_parameter`
 */
export async function importConfirmed(
  step: WriteStep,
  { pageId, now }: { pageId: string; now: Timestamp },
  given: Batches<GivenViewer>,
): Promise<void> {
  for (const batch of given) {
    const rows = batch.map((row) => ({ ...row, page_id: pageId, imported_at: now }))
    await step((tx) => confirmedStore.insertAll(tx, rows)).catch((err) => {
      if (!isUniqueViolation(err)) throw err
      throw refuse.invalid('invalid_parameter', 'Two of its viewers have one address.')
    })
  }
}

function compareFacets(a: GivenFacet, b: GivenFacet): number {
  return a.day - b.day || compare(a.facet, b.facet)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function refused(how: string) {
  return refuse.invalid('invalid_parameter', `Its facts about views are ${how}.`)
}
