import type { Database } from '../../platform/db/index.ts'
import * as moveStore from './moves/store.ts'
import type { PageCounts } from './page-counts.ts'
import * as store from './store.ts'
import type { CountWriter } from './write-counts.ts'

/** The counts of pages within one hour. */
export interface CountedBatch {
  /** The file that has its views; null where it has facts alone. */
  fileId: string | null
  /** Of the batches of its file: each is later than those before. */
  number: number
  hour: number
  pages: readonly (readonly [pageId: string, counts: PageCounts])[]
}

export type BatchStore = ReturnType<typeof createBatchStore>

export function createBatchStore(database: Database, writer: CountWriter) {
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
    forgetFile: (fileId: string) => database.write((tx) => moveStore.forgetFile(tx, fileId)),
  }
}
