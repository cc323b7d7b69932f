import type { QueryClient } from '@tanstack/preact-query'
import { count } from '../../../src/model/numbers.ts'
import { deletedOn } from '../../../src/model/page/facts.ts'
import { api, messageOf } from '../api.ts'
import { showError, showToast } from '../ui/toast.tsx'

type Identified = { id: string }

/** Does the same to each page. What fails is said. @returns the others */
export async function forEach(
  client: QueryClient,
  pages: readonly Identified[],
  act: (page: Identified) => Promise<unknown>,
): Promise<Identified[]> {
  const results = await Promise.allSettled(pages.map(({ id }) => act({ id })))
  const failed = results.filter((result) => result.status === 'rejected')
  const more = failed.length > 1 ? ` So with ${count(failed.length - 1, 'other page')}.` : ''
  if (failed.length > 0) showError(`${messageOf(failed[0]!.reason)}${more}`)
  await Promise.all(
    [['pages'], ['page'], ['inbox']].map((queryKey) => client.invalidateQueries({ queryKey })),
  )
  return pages.filter((_, at) => results[at]?.status === 'fulfilled')
}

/** Moves pages to the trash, which can be undone. */
export async function moveToTrash(
  client: QueryClient,
  pages: readonly Identified[],
): Promise<void> {
  const moved = await forEach(client, pages, api.trashPage)
  if (moved.length === 0) return
  const what = moved.length === 1 ? 'Page' : count(moved.length, 'page')
  showToast(`${what} moved to the trash`, { undo: () => void takeBack(client, moved) })
}

export async function takeBack(client: QueryClient, pages: readonly Identified[]): Promise<void> {
  await forEach(client, pages, api.takeBackPage)
}

/** The day on which a page in the trash is deleted: `24 December`. */
export function lastDayOf(trashedAt: string): string {
  return deletedOn(trashedAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })
}
