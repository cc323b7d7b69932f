import type { Database, Tx } from '../../platform/db/index.ts'
import type { AbandonedFile, Slot } from '../../platform/mapped-files.ts'
import type { Services } from '../../platform/services.ts'
import * as moveStore from './moves/store.ts'
import * as store from './store.ts'
import type { BatchStore, CountedBatch } from './waiting-views.ts'
import type { CountWriter } from './write-counts.ts'

export function createBatchStore(database: Database, writer: CountWriter): BatchStore {
  return {
    /** Adds a batch, once however often it is called. @returns pages that are gone */
    async store({ fileId, number, hour, pages }: CountedBatch) {
      const preparing = writer.prepare(hour)
      if (preparing !== undefined) await preparing
      const sorted = [...pages].sort(([a], [b]) => (a < b ? -1 : 1))
      const seen: string[] = []
      const gone: string[] = []
      await database.write(
        async (tx) => {
          seen.length = gone.length = 0
          if (fileId !== null && !(await moveStore.recordMove(tx, fileId, number))) return
          for (const [pageId, counts] of sorted) {
            const { views } = counts
            if (views > 0 && !(await store.addServed(tx, pageId, views))) gone.push(pageId)
            else await writer.write(tx, { pageId, hour }, counts, seen)
          }
        },
        fileId !== null ? 'full' : 'relaxed',
      )
      writer.remember(hour, seen)
      return gone
    },
    /** Deletes the record of a file's stored batches. Only after the file is deleted. */
    forgetFile: (fileId: string) => database.write((tx) => moveStore.forgetFile(tx, [fileId])),
  }
}

export type AbandonedViewDeps = Pick<Services, 'database' | 'slotFiles' | 'log'>

/**
 * Adds the views that ended processes had counted in their files but not moved to the database. A
 * file that cannot be read stays in place, for the operator.
 *
 * @returns whether all were added
 */
export async function addAbandonedViews(deps: AbandonedViewDeps): Promise<boolean> {
  const { database, slotFiles, log } = deps
  let areAdded = true
  for (const file of slotFiles.takeAbandoned()) {
    try {
      const views = await addViewsOf(database, file)
      if (views > 0) log.info('added the views that a killed process had counted', { views })
    } catch (err) {
      log.error('the views in a file of an earlier process were not added', { file: file.id, err })
      file.release()
      areAdded = false
    }
  }
  return areAdded
}

async function addViewsOf(database: Database, file: AbandonedFile): Promise<number> {
  const slots = file.read()
  const added = slots.length === 0 ? 0 : await database.write((tx) => addSlots(tx, file.id, slots))
  file.remove()
  await database.write((tx) => moveStore.forgetFile(tx, [file.id]))
  return added
}

/** @returns how many views were added: those of batches that had not been moved */
async function addSlots(tx: Tx, file: string, slots: readonly Slot[]): Promise<number> {
  const moved = await moveStore.movedBatch(tx, file)
  const left = slots.filter(({ batch }) => batch > moved)
  if (left.length === 0) return 0
  await moveStore.recordMove(tx, file, Math.max(...left.map(({ batch }) => batch)))
  const byPage = Map.groupBy(left, ({ key }) => key)
  let total = 0
  for (const pageId of [...byPage.keys()].sort()) {
    const hours = byPage.get(pageId)!
    const views = hours.reduce((sum, { count }) => sum + count, 0)
    if (!(await store.addServed(tx, pageId, views))) continue
    total += views
    for (const { group: hour, count } of hours) {
      await store.addToHour(tx, { page_id: pageId, hour, views: count, viewers: 0 })
    }
  }
  return total
}
