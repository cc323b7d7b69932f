import { Refusal } from '../../model/errors.ts'
import { type Page, TRASH_DAYS } from '../../model/page/index.ts'
import type { ChangeRequest, PageParts } from './changes.ts'
import * as store from './store.ts'

const TRASH_MS = TRASH_DAYS * 24 * 60 * 60 * 1000
/** How many pages one sweep deletes. */
const BATCH = 500
/** How often another title is chosen after a concurrent write took it. */
const ATTEMPTS = 5

/** Takes the page offline and out of the lists, with all it has, until it comes back. */
export function trash({ clock, changes }: PageParts, request: ChangeRequest): Promise<Page> {
  return changes.change(request, {
    onDraft: false,
    takesTrashed: true,
    isNoEdit: true,
    durability: 'freeing',
    async apply(_tx, current) {
      if (current.trashed_at !== null) return current
      const { published_id: trashed_published_id } = current
      return { ...current, trashed_at: clock.now(), trashed_published_id, published_id: null }
    },
  })
}

/** The page as it was, at its link. Its title gets a number where another page has it now. */
export async function takeBack({ changes }: PageParts, request: ChangeRequest): Promise<Page> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await changes.change(request, {
        onDraft: false,
        takesTrashed: true,
        isNoEdit: true,
        async apply(tx, current) {
          const { account_id, title, trashed_at, trashed_published_id: published_id } = current
          if (trashed_at === null) return current
          const free = title === null ? null : await store.freeTitle(tx, account_id, title)
          const back = { trashed_at: null, trashed_published_id: null, published_id }
          return { ...current, title: free, ...back }
        },
      })
    } catch (err) {
      // On PostgreSQL another write may take the title between the choice and the update.
      const isTaken = err instanceof Refusal && err.code === 'duplicate_title'
      if (!isTaken || attempt >= ATTEMPTS) throw err
    }
  }
}

/** Deletes the pages whose time in the trash is over. @returns how many there were */
export async function sweepTrash({ database, clock, changes }: PageParts): Promise<number> {
  const before = clock.after(-TRASH_MS)
  const due = await store.listTrashed(database.read, [before, BATCH])
  for (const page of due) await changes.removeTrashed(page, before)
  return due.length
}
