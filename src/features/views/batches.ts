import type { Database } from '../../platform/db/index.ts'
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
