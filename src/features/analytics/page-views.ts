import { JsonText } from '../../model/json-text.ts'
import { createSlices } from '../../model/time-slices.ts'
import type { PageViews } from './contract.ts'

/** How many items are processed between two checks of the clock. */
const BATCH = 500

interface CountedDay {
  page_id: string
  /** Days since the epoch, in the zone of the range. */
  day: number
  views: number
}

/**
 * Adds up the views of each page by day. Yields to the event loop, since there may be many pages.
 */
export function createPageViews({ firstDay, days }: { firstDay: number; days: number }) {
  const pages = new Map<string, PageViews>()
  const pause = createSlices()

  return {
    async add(counted: readonly CountedDay[]): Promise<void> {
      for (const [at, { page_id: id, day, views }] of counted.entries()) {
        if (at % BATCH === 0) await pause()
        const page = pages.get(id) ?? { page_id: id, views: 0, series: Array(days).fill(0) }
        page.views += views
        page.series[day - firstDay]! += views
        pages.set(id, page)
      }
    },
    /** The pages, the most viewed first. */
    async toJson(): Promise<JsonText<PageViews[]>> {
      const sorted = [...pages.values()].sort((a, b) => b.views - a.views)
      const parts: string[] = []
      for (let at = 0; at < sorted.length; at += BATCH) {
        await pause()
        parts.push(JSON.stringify(sorted.slice(at, at + BATCH)).slice(1, -1))
      }
      return new JsonText(`[${parts.join()}]`)
    },
  }
}
