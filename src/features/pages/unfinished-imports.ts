import type { Clock } from '../../platform/clock.ts'
import { deleteRowsOfPage } from '../../platform/db/delete-in-pieces.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import * as store from './store.ts'

/** An import that has written nothing for so long has ended. Reading one content takes less. */
const ABANDONED_MS = 15 * 60_000

export interface UnfinishedImports {
  /**
   * Deletes the pages whose import broke off.
   *
   * @param atStart no import of this process is under way. On SQLite there is no other process.
   */
  sweepImports(atStart?: boolean): Promise<number>
}

export interface UnfinishedImportsDeps {
  database: Database
  clock: Clock
  content: Pick<Content, 'markUnreferenced'>
  versions: Pick<Versions, 'deleteAll'>
}

export function createUnfinishedImports(deps: UnfinishedImportsDeps) {
  const { database, clock, content, versions } = deps

  /** Nothing where the page is not hidden any more. The import cannot end it after this begins. */
  async function removeUnfinished(id: string): Promise<void> {
    const isHidden = await database.write(async (tx) => {
      const page = await store.abandonImport(tx, id)
      if (page === undefined) return false
      const { draft_id: draftId, published_id: publishedId } = page
      await content.markUnreferenced(tx, [draftId, publishedId ?? draftId])
      await versions.deleteAll(tx, id)
      return true
    }, 'freeing')
    if (!isHidden) return
    await deleteRowsOfPage(database, id)
    await database.write((tx) => store.deletePage(tx, id), 'freeing')
  }

  return {
    removeUnfinished,
    async sweepImports(atStart = false): Promise<number> {
      const isAlone = atStart && database.engine === 'sqlite'
      const ids = await store.listAbandoned(
        database.read,
        clock.after(isAlone ? ABANDONED_MS : -ABANDONED_MS),
      )
      for (const id of ids) await removeUnfinished(id)
      return ids.length
    },
  }
}
