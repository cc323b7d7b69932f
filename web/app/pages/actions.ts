import { paginate } from '../../../src/client/index.ts'
import { joinWithAnd } from '../../../src/model/deletion.ts'
import { mapConcurrently } from '../../../src/model/map-concurrently.ts'
import { count } from '../../../src/model/numbers.ts'
import { deletedOn } from '../../../src/model/page/facts.ts'
import { api, type ListedPage, messageOf, readAgain } from '../api.ts'
import { inSettingsQueue } from '../page/use-page.ts'
import { nameOf } from '../page/words.ts'
import { showError, showToast } from '../ui/toast.tsx'

/** A page with what it is called, for what is said of it. */
export type Named = Pick<ListedPage, 'id' | 'title' | 'slug'>

/** As many requests as a browser sends at once to one server. */
export const AT_ONCE = 6

type Act = (page: Named) => Promise<unknown>

/** Does the same to each page. Those that fail are named with the reason. @returns the others */
export async function forEach(pages: readonly Named[], act: Act): Promise<Named[]> {
  const reasons = await mapConcurrently(pages, AT_ONCE, (page) =>
    inSettingsQueue(page.id, () => act(page)).then(() => null, messageOf),
  )
  for (const [reason, of] of Map.groupBy(pages, (_, at) => reasons[at]!)) {
    if (reason === null) continue
    const names = of.map((page) => `“${nameOf(page)}”`)
    showError(pages.length === 1 ? reason : `Not done for ${joinWithAnd(names)}: ${reason}`)
  }
  await readAgain([['pages'], ['page'], ['inbox']])
  return pages.filter((_, at) => reasons[at] === null)
}

interface Change {
  act: Act
  undo: Act
  /** What is said afterwards. @param what `Page`, or `3 pages` */
  message(what: string): string
}

/** Changes each page, and says so with a button that takes it back. */
export async function changeEach(pages: readonly Named[], { act, undo, message }: Change) {
  const changed = await forEach(pages, act)
  if (changed.length === 0) return
  const what = changed.length === 1 ? 'Page' : count(changed.length, 'page')
  showToast(message(what), { undo: () => void forEach(changed, undo) })
}

export function moveToTrash(pages: readonly Named[]): Promise<void> {
  return changeEach(pages, {
    act: ({ id }) => api.trashPage({ id }),
    undo: ({ id }) => api.takeBackPage({ id }),
    message: (what) => `${what} moved to the trash`,
  })
}

export async function takeBack(pages: readonly Named[]): Promise<void> {
  await forEach(pages, ({ id }) => api.takeBackPage({ id }))
}

/** The day on which a page in the trash is deleted: `24 December`. */
export function lastDayOf(trashedAt: string): string {
  return deletedOn(trashedAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })
}

/** Moves pages to a folder, or out of theirs, which can be undone. */
export function moveTo(pages: readonly Named[], folder: string | null): Promise<void> {
  const before = new Map<string, string | null>()
  return changeEach(pages, {
    async act({ id }) {
      before.set(id, (await api.getPage({ id })).data.folder)
      await api.updatePage({ id, folder })
    },
    undo: ({ id }) => api.updatePage({ id, folder: before.get(id) ?? null }),
    message: (what) => `${what} moved ${folder === null ? 'out of the folder' : `to ${folder}`}`,
  })
}

export async function pagesIn(folder: string): Promise<ListedPage[]> {
  const parts = await Array.fromAsync(paginate(api.listPages, { folder, limit: 200 }))
  return parts.flatMap(({ data }) => data)
}
