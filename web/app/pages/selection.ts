import { useState } from 'preact/compat'
import type { ListedPage } from '../api.ts'
import type { PagesList } from './use-list.ts'

/** The ids of chosen pages, and the row from which Shift extends the choice. */
export interface Selection {
  ids: ReadonlySet<string>
  anchor: string | null
}

export const NOTHING: Selection = { ids: new Set(), anchor: null }

export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Chooses all rows from the anchor to a row, in the order of the list. */
export function extendTo(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggle(selection, id)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor }
}

/** Forgets what the list no longer has, so that nothing unseen is deleted. */
export function keep(selection: Selection, order: readonly string[]): Selection {
  const pageIds = new Set(order)
  const ids = [...selection.ids].filter((id) => pageIds.has(id))
  return ids.length === selection.ids.size ? selection : { ...selection, ids: new Set(ids) }
}

export function useSelection({ pages, hasNextPage, fetchNextPage }: PagesList) {
  const order = pages.map(({ id }) => id)
  const [latest, setSelection] = useState(NOTHING)
  const selection = keep(latest, order)
  const { ids } = selection
  return {
    selection,
    selected: pages.filter(({ id }) => ids.has(id)),
    areAllSelected: ids.size === pages.length && !hasNextPage,
    toggleRow: (id: string, isRange: boolean) =>
      setSelection(isRange ? extendTo(selection, id, order) : toggle(selection, id)),
    clear: () => setSelection(NOTHING),
    /** Reads the rest of the list first, so that every selected page is visible. */
    async selectAll(): Promise<ListedPage[]> {
      let all = pages
      for (let more = hasNextPage; more; ) {
        const answer = await fetchNextPage()
        if (answer.isError) break
        more = answer.hasNextPage
        all = answer.data?.pages.flatMap(({ data }) => data) ?? all
      }
      setSelection({ ids: new Set(all.map(({ id }) => id)), anchor: null })
      return all
    },
  }
}
