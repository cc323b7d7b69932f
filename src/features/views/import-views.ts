import { z } from 'zod'
import { type Batches, hash, natural, positive, time } from '../../model/archive.ts'
import type { Page } from '../../model/page/index.ts'
import { email } from '../../model/text.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import {
  badRows,
  importBatch,
  type LastStep,
  rowsInBatches,
  type WriteStep,
} from '../../platform/db/long-write.ts'
import * as confirmedStore from './confirmed/store.ts'
import { FACETS, type Facet } from './facets.ts'
import * as store from './store.ts'
import type { Counter } from './views.ts'
import { hourOf } from './waiting-views.ts'

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
  // Links are not imported.
  link_refusal: /^\b$/,
}

export const facetRow = z.object({
  /** Days since the epoch, in UTC. */
  day: natural,
  facet: z.enum(FACETS),
  value: z.string().max(1200),
  count: natural,
  seconds: natural,
})
type ImportedFacet = z.output<typeof facetRow>

export const viewerRow = z
  .object({
    email,
    views: positive,
    first_at: time,
    last_at: time,
    manifest_id: hash.nullable(),
    seconds: natural,
    last_sheet: positive.nullable(),
  })
  .refine((row) => row.first_at <= row.last_at)

/** All counts of a page's facets for an export, by day and facet. */
export async function* facetsOf(db: Db, pageId: string): AsyncGenerator<ImportedFacet> {
  for (let from = 0; ; from += DAYS_AT_ONCE) {
    const { day } = (await store.findFirstFacetDay(db, [pageId, from]))!
    if (day === null) return
    from = day
    const rows = await store.listFacets(db, [pageId, from, from + DAYS_AT_ONCE])
    yield* rows.filter(({ facet }) => facet !== 'link_refusal').sort(compareFacets)
  }
}

export async function* confirmedOf(db: Db, pageId: string): AsyncGenerator<object> {
  const viewers = rowsInBatches({ by: 'email', limit: VIEWERS_AT_ONCE }, (...range) =>
    confirmedStore.listAfter(db, [pageId, ...range]),
  )
  for await (const { page_id: _page, sections: _sections, ...row } of viewers) yield row
}

/**
 * Stores the facets of an imported page.
 *
 * @param facets by day and facet
 * @throws Refusal `invalid_parameter` where this server would not have counted them
 */
export async function importFacets(
  step: WriteStep,
  { pageId, nowMs }: { pageId: string; nowMs: number },
  facets: Batches<ImportedFacet>,
): Promise<void> {
  // The other server's clock may be ahead.
  const last = Math.floor(nowMs / DAY_MS) + 1
  let values = new Set<string>()
  let previous: ImportedFacet | null = null
  for await (const batch of facets) {
    for (const row of batch) {
      const order = previous === null ? 1 : compareFacets(row, previous)
      if (order !== 0) values = new Set()
      if (order < 0 || values.has(row.value)) throw refused('not in their order, or counted twice')
      values.add(row.value)
      if (values.size > store.maxValuesOf(row.facet)) throw refused('of more values than a day has')
      if (row.day > last || !FORMS[row.facet].test(row.value)) throw refused('not as they must be')
      previous = row
    }
    const rows = batch.map((row) => ({ ...row, page_id: pageId }))
    await step((tx) => store.insertFacets(tx, rows))
  }
}

/**
 * Stores the confirmed viewers of an imported page. They are marked: another server confirmed
 * their addresses.
 *
 * @throws Refusal `invalid_parameter`
 */
export async function importConfirmed(
  step: WriteStep,
  { pageId, now }: { pageId: string; now: Timestamp },
  viewers: Batches<z.output<typeof viewerRow>>,
): Promise<void> {
  for await (const batch of viewers) {
    const own = { page_id: pageId, sections: null, imported_at: now }
    const rows = batch.map((row) => ({ ...row, ...own }))
    const duplicate = 'Two of its viewers have one address.'
    await importBatch(step, (tx) => confirmedStore.insertAll(tx, rows), duplicate)
  }
}

function compareFacets(a: ImportedFacet, b: ImportedFacet): number {
  return a.day - b.day || (a.facet < b.facet ? -1 : Number(a.facet > b.facet))
}

function refused(how: string) {
  return badRows(`Its facts about views are ${how}.`)
}

export const hourRow = z.object({ hour: natural, views: natural, viewers: natural })

/**
 * Stores the views of an imported page by hour, and its counter last. Views without an hour count
 * in the current one. Views that were counted during the export may be only in the hours.
 *
 * @throws Refusal `invalid_parameter` where the hours are not in their order
 */
export async function importViews(
  step: WriteStep,
  { page, nowMs }: { page: Pick<Page, 'id' | 'account_id' | 'settings'>; nowMs: number },
  { views, max_views: maxViews, hours }: Counter & { hours: Batches<store.HourRow> },
): Promise<LastStep> {
  const { id: pageId } = page
  const now = hourOf(nowMs)
  let [rest, previous] = [views, -1]
  for await (const batch of hours) {
    for (const { hour, views: count, viewers } of batch) {
      if (hour <= previous || hour > now || viewers > count)
        throw badRows('Its views by hour contradict each other.')
      previous = hour
      rest -= count
    }
    const rows = batch.map((row) => ({ ...row, page_id: pageId }))
    await step((tx) => store.insertHours(tx, rows))
  }
  return async (tx) => {
    const limits = { max_views: null, closes_at: null }
    await store.insertCounter(tx, { page_id: pageId, account_id: page.account_id, ...limits })
    const all = Math.max(views, views - rest)
    if (all > 0) await store.addViews(tx, pageId, all)
    if (rest > 0) await store.addToHour(tx, [pageId, now, rest, 0])
    // That a link closed elsewhere is not told again.
    const { expires_at: closesAt } = page.settings
    const isOver = closesAt !== null && millisecondsOf(closesAt) <= nowMs
    const closes_at = isOver ? null : closesAt
    await store.updateLimits(tx, [pageId], { max_views: maxViews, closes_at })
  }
}
