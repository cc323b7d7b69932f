import { deleteRowsOfPage } from '../../platform/db/delete-in-pieces.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import * as store from './store.ts'

export interface RemoveHiddenDeps {
  database: Database
  content: Pick<Content, 'markUnreferenced'>
  versions: Pick<Versions, 'deleteAll'>
}

/**
 * Deletes a page that is hidden, in short transactions. It does nothing where the page is not
 * hidden any more: an import cannot end after this begins.
 */
export type RemoveHidden = (id: string) => Promise<void>

export function createRemoveHidden({
  database,
  content,
  versions,
}: RemoveHiddenDeps): RemoveHidden {
  return async (id) => {
    const isHidden = await database.write(async (tx) => {
      const page = await store.abandonImport(tx, id)
      if (page === undefined) return false
      const { draft_id: draftId, published_id: publishedId } = page
      await content.markUnreferenced(tx, [draftId, publishedId ?? draftId])
      await versions.deleteAll(tx, page)
      return true
    }, 'freeing')
    if (!isHidden) return
    await deleteRowsOfPage(database, id)
    await database.write((tx) => store.deletePage(tx, id), 'freeing')
  }
}
