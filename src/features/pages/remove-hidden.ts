import { CLOCKS_APART_MS } from '../../platform/clock.ts'
import { deleteRowsOfPage } from '../../platform/db/delete-in-pieces.ts'
import { lowerAll } from '../../platform/db/future-times.ts'
import type { PageDeps } from './parts.ts'
import * as store from './store.ts'

/**
 * Deletes a page that is hidden, in short transactions. It does nothing where the page is not
 * hidden any more: an import cannot end after this begins.
 */
export async function removeHidden(deps: PageDeps, id: string): Promise<void> {
  const { database, content, versions, agreements } = deps
  const isHidden = await database.write(async (tx) => {
    const page = await store.abandonImport(tx, id)
    if (page === undefined) return false
    const { draft_id, published_id } = page
    await content.markUnreferenced(tx, [draft_id, published_id ?? draft_id])
    await versions.deleteAll(tx, page)
    await agreements.deleteAll(tx, page)
    return true
  }, 'freeing')
  if (!isHidden) return
  await deleteRowsOfPage(database, id)
  await database.write((tx) => store.deletePage(tx, id), 'freeing')
}

/** An import without a write for this long has ended. Reading one content takes less. */
const ABANDONED_MS = 15 * 60_000

/**
 * Deletes the pages whose import broke off, and those whose deletion did.
 *
 * @param atStart no import of this process is under way. On SQLite there is no other process.
 */
export async function sweepImports(deps: PageDeps, atStart: boolean): Promise<number> {
  const { database, clock } = deps
  const isAlone = atStart && database.engine === 'sqlite'
  await lowerAll({ database, clock }, { looked: [store.importTimes] })
  const before = clock.after(isAlone ? CLOCKS_APART_MS : -ABANDONED_MS)
  const ids = await store.listAbandoned(database.read, before)
  for (const id of ids) await removeHidden(deps, id)
  return ids.length
}
