import type { QueryClient } from '@tanstack/preact-query'
import { paginate } from '../../../src/client/index.ts'
import { count } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import type { ListedPage } from '../boot.ts'
import { showToast } from '../ui/toast.tsx'
import { forEach, type Named } from './for-each.ts'

/** Moves pages to a folder, or out of theirs, which can be undone. */
export async function moveTo(
  client: QueryClient,
  pages: readonly Named[],
  folder: string | null,
): Promise<void> {
  const before = new Map<string, string | null>()
  const moved = await forEach(client, pages, async ({ id }) => {
    before.set(id, (await api.getPage({ id })).data.folder)
    await api.updatePage({ id, folder })
  })
  if (moved.length === 0) return
  const what = moved.length === 1 ? 'Page' : count(moved.length, 'page')
  showToast(`${what} moved ${folder === null ? 'out of the folder' : `to ${folder}`}`, {
    undo: () =>
      void forEach(client, moved, ({ id }) =>
        api.updatePage({ id, folder: before.get(id) ?? null }),
      ),
  })
}

/** All pages of a folder. */
export async function pagesIn(folder: string): Promise<ListedPage[]> {
  const pages: ListedPage[] = []
  for await (const { data } of paginate(api.listPages, { folder, limit: 200 })) pages.push(...data)
  return pages
}
