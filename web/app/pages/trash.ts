import type { QueryClient } from '@tanstack/preact-query'
import { count } from '../../../src/model/numbers.ts'
import { deletedOn } from '../../../src/model/page/facts.ts'
import { api } from '../api.ts'
import { showToast } from '../ui/toast.tsx'
import { forEach, type Named } from './for-each.ts'

/** Moves pages to the trash, which can be undone. */
export async function moveToTrash(client: QueryClient, pages: readonly Named[]): Promise<void> {
  const moved = await forEach(client, pages, ({ id }) => api.trashPage({ id }))
  if (moved.length === 0) return
  const what = moved.length === 1 ? 'Page' : count(moved.length, 'page')
  showToast(`${what} moved to the trash`, { undo: () => void takeBack(client, moved) })
}

export async function takeBack(client: QueryClient, pages: readonly Named[]): Promise<void> {
  await forEach(client, pages, ({ id }) => api.takeBackPage({ id }))
}

/** The day on which a page in the trash is deleted: `24 December`. */
export function lastDayOf(trashedAt: string): string {
  return deletedOn(trashedAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })
}
