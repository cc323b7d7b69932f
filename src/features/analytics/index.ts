import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import type { RefusalReason } from '../../model/page/admission.ts'
import { MAX_DAYS } from '../../model/page/facts.ts'
import type { Page } from '../../model/page/index.ts'
import { pageOf } from '../../model/paging.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Versions } from '../versions/index.ts'
import type { Views, Whose } from '../views/index.ts'
import * as contract from './contract.ts'
import {
  type AnalyticsQuery,
  MAX_PAGES,
  type PageViews,
  type Report,
  type ViewerQuery,
} from './contract.ts'
import { createMeasuring, type MeasuringDeps } from './measuring.ts'
import { hourText, type RangeQuery, rangeOf, seriesOf, steadyParts } from './range.ts'
import { factsOf } from './reports.ts'
import { dayOf } from './zone.ts'

export type { OpenView, TimedPart } from './measuring.ts'

const HOUR_MS = 3_600_000

interface AnalyticsDeps extends Pick<MeasuringDeps, 'database' | 'clock' | 'links'> {
  views: Views
  versions: Pick<Versions, 'numberOf'>
}

export type Analytics = ReturnType<typeof createAnalytics>

export function createAnalytics(deps: AnalyticsDeps) {
  const { database, clock, views, versions } = deps
  const measuring = createMeasuring(deps)
  const hourNow = () => Math.floor(clock.ms() / HOUR_MS)

  /** @param since the hour in which the page was made, for a report of one that nobody viewed */
  async function report(whose: Whose, query: RangeQuery, since: number): Promise<Report> {
    await views.flush()
    return readOf(whose, async (db) => {
      const first = (await views.firstHour(db, whose))[0]?.hour ?? since
      const range = rangeOf(query, { now: hourNow(), first: Math.min(first, since) })
      // Facts are counted by days of UTC, so the hours of these are read once for both.
      const days = { from: Math.floor(range.from / 24), to: Math.floor((range.to - 1) / 24) + 1 }
      const hours = await views.hours(db, whose, days.from * 24, days.to * 24)
      const ofRange = hours.filter(({ hour }) => hour >= range.from && hour < range.to)
      const series = seriesOf(range, ofRange)
      const total = (of: 'views' | 'viewers') => series.reduce((sum, point) => sum + point[of], 0)
      const described = {
        from: hourText(range.from),
        to: hourText(range.to),
        interval: range.interval,
        tz: range.zone.name,
        views: total('views'),
      }
      if (query.only === 'views') {
        return { ...described, series: series.map(({ at, views }) => ({ at, views })) }
      }
      const all = hours.reduce((sum, hour) => sum + hour.views, 0)
      const facts = factsOf(await views.facets(db, whose, days.from, days.to), all)
      return { ...described, series, viewers: total('viewers'), ...facts }
    })
  }

  async function readOf<T>(whose: Whose, read: (db: Db) => Promise<T>): Promise<T> {
    const isLong = await views.isExtensive(database.read, whose)
    return isLong ? database.longRead(read) : database.snapshot(read)
  }

  /** The views of pages by day: one query for each part of the range without a clock change. */
  async function pagesOf(account: Account, query: RangeQuery, first: number) {
    const range = rangeOf({ ...query, interval: 'day' }, { now: hourNow(), first })
    const firstDay = dayOf(range.from, range.zone)
    const days = dayOf(range.to - 1, range.zone) - firstDay + 1
    if (days > MAX_DAYS) {
      const message = `group=page answers at most ${MAX_DAYS} days: send a later from, or days.`
      throw refuse.invalidParameter('from', message)
    }
    const rows = await readOf({ account_id: account.id }, async (db) => {
      const ids = await views.mostViewed(db, [account.id, range.from, range.to, MAX_PAGES])
      const parts = steadyParts(range).map((part) =>
        views.pageDays(db, ids, part.from, part.to, part.offsetMinutes),
      )
      return (await Promise.all(parts)).flat()
    })
    return pageViewsOf(rows, firstDay, days)
  }

  return {
    ...measuring,
    /** @throws Refusal `plan_required` or `invalid_parameter` */
    async ofPage(account: Account, page: Page, query: Omit<AnalyticsQuery, 'days' | 'group'>) {
      assertPlan(account, query)
      const since = Math.floor(millisecondsOf(page.created_at) / HOUR_MS)
      return report({ page_id: page.id }, query, since)
    },
    async ofAccount(account: Account, query: AnalyticsQuery) {
      assertPlan(account, query)
      const data = await report({ account_id: account.id }, query, hourNow())
      if (query.group === undefined) return data
      const first = Math.floor(Date.parse(data.from) / HOUR_MS)
      return { ...data, pages: await pagesOf(account, query, first) }
    },
    async viewers({ id }: Page, { limit, offset }: ViewerQuery) {
      await views.flush()
      const rows = await views.confirmedViewers(database.read, [id, limit + 1, offset])
      const { data, next_offset } = pageOf(rows, { limit, offset })
      const numbers = new Map<string | null, number | null>([[null, null]])
      for (const { manifest_id: manifest } of data) {
        if (!numbers.has(manifest)) numbers.set(manifest, await versions.numberOf(id, manifest!))
      }
      const viewers = data.map(({ page_id, manifest_id, sections, ...viewer }) => ({
        ...viewer,
        version_no: numbers.get(manifest_id) ?? null,
      }))
      return { data: viewers, next_offset }
    },
    /** Counts a request that a gate or a notice answered. @param linkId by which it came */
    countRefusal(pageId: string, reason: RefusalReason, linkId: string | null = null) {
      views.countFacts(pageId, [['refusal', reason]])
      if (linkId !== null) views.countFacts(pageId, [['link_refusal', `${linkId} ${reason}`]])
    },
    /** Deletes the data that distinguished the visitors of earlier days. */
    async sweep() {
      await views.sweep()
      await measuring.sweep()
    },
  }
}

/** The views of each page on so many days, the most viewed page first. */
function pageViewsOf(
  rows: Awaited<ReturnType<Views['pageDays']>>,
  firstDay: number,
  days: number,
): PageViews[] {
  return [...Map.groupBy(rows, (row) => row.page_id)]
    .map(([id, ofPage]) => {
      const series: number[] = Array(days).fill(0)
      for (const { day, views } of ofPage) series[day - firstDay]! += views
      return { page_id: id, views: series.reduce((sum, count) => sum + count, 0), series }
    })
    .sort((a, b) => b.views - a.views)
}

function assertPlan(account: Account, { only }: Pick<AnalyticsQuery, 'only'>): void {
  if (only === 'views' || account.limits.link_controls) return
  const message =
    `Analytics are not part of the ${account.plan_name} plan. ` +
    'Views alone are: send only=views.'
  throw refuse.planRequired(account, message, { param: 'only' })
}

export function analyticsOperations(analytics: Analytics) {
  return operationsOf(contract, {
    getAnalytics: ({ account, page }, query) => analytics.ofPage(account, page, query),
    getAccountAnalytics: ({ account }, query) => analytics.ofAccount(account, query),
    listViewers: ({ page }, query) => analytics.viewers(page, query),
  })
}
