import type { Database, Tx } from '../../platform/db/index.ts'
import * as confirmedStore from './confirmed/store.ts'
import { createDailyViewers } from './daily-viewers.ts'
import * as store from './store.ts'
import { factsOf, type PageCounts } from './waiting-views.ts'

interface CountedOn {
  pageId: string
  /** Hours since the epoch. */
  hour: number
}

export type CountWriter = ReturnType<typeof createCountWriter>

export function createCountWriter(database: Database) {
  const daily = createDailyViewers(database)

  async function viewersOf(tx: Tx, on: CountedOn, clients: Set<string>, seen: string[]) {
    const { pageId, hour } = on
    const day = dayOf(hour)
    // The salt of a past day is deleted, so its viewers can no longer be recognised.
    if (clients.size === 0 || !daily.isOn(day) || daily.areKnown(pageId, clients)) return 0
    return daily.count(tx, { pageId, day, clients }, seen)
  }

  return {
    /** Prepares for the views of an hour. Asynchronous only once a day. */
    prepare: (hour: number) =>
      daily.hasStarted(dayOf(hour)) ? undefined : daily.startDay(dayOf(hour)),
    /**
     * Writes the details of views that the page's counter includes. Every transaction that counts
     * views writes its pages in the order of their ids, so that two nodes cannot deadlock.
     *
     * @param seen collects the keys of the day's new viewers, for `remember` after the commit
     */
    async write(tx: Tx, { pageId, hour }: CountedOn, counts: PageCounts, seen: string[]) {
      if (counts.views > 0) {
        const viewers = await viewersOf(tx, { pageId, hour }, counts.clients, seen)
        await store.addToHour(tx, { page_id: pageId, hour, views: counts.views, viewers })
      }
      const facets = factsOf(counts)
      if (facets.length > 0) await store.addFacets(tx, { pageId, day: dayOf(hour) }, facets)
      const confirmed = [...counts.confirmed.values()]
      for (const viewer of confirmed.sort((a, b) => (a.email < b.email ? -1 : 1))) {
        await confirmedStore.addConfirmedViews(tx, pageId, viewer)
      }
    },
    remember: (hour: number, seen: readonly string[]) => daily.remember(dayOf(hour), seen),
    daily,
  }
}

function dayOf(hour: number): number {
  return Math.floor(hour / 24)
}
