import type { Batches } from '../../model/batches.ts'
import { refuse } from '../../model/errors.ts'
import type { LastStep, WriteStep } from '../../platform/db/long-write.ts'
import * as store from './store.ts'
import type { Counter } from './views.ts'
import { hourOf } from './waiting-views.ts'

/**
 * Stores the views of an imported page by hour, and its counter last. Views without an hour count
 * in the current one. Views that were counted during the export may be only in the hours.
 *
 * @throws Refusal `invalid_parameter` where the hours are not in their order
 */
export async function importViews(
  step: WriteStep,
  { page, nowMs }: { page: { id: string; account_id: string }; nowMs: number },
  { views, max_views: maxViews, hours }: Counter & { hours: Batches<store.HourRow> },
): Promise<LastStep> {
  const { id: pageId } = page
  const now = hourOf(nowMs)
  let [rest, previous] = [views, -1]
  for (const batch of hours) {
    for (const { hour, views: count, viewers } of batch) {
      if (hour <= previous || hour > now || viewers > count) throw badHours()
      previous = hour
      rest -= count
    }
    await step((tx) => store.insertHours(tx, pageId, batch))
  }
  return async (tx) => {
    await store.insertCounters(tx, [
      { page_id: page.id, account_id: page.account_id, max_views: null },
    ])
    const all = Math.max(views, views - rest)
    if (all > 0) await store.addViews(tx, pageId, all)
    if (rest > 0) {
      await store.addToHour(tx, { page_id: pageId, hour: now, views: rest, viewers: 0 })
    }
    await store.updateLimit(tx, pageId, maxViews)
  }
}

function badHours() {
  return refuse.invalid('invalid_parameter', 'Its views by hour contradict each other.')
}
