import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useIsHydrated } from '../hydrated.ts'
import { Button } from '../ui/button.tsx'
import { deleteWithUndo } from './delete.ts'
import type { Filters } from './filters.ts'
import { extendTo, keep, NOTHING, toggle } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { PagesTable } from './table.tsx'
import { Toolbar } from './toolbar.tsx'
import { type PagesList, useNear } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'

/** How many rows the document paints: more than a window shows. The script adds the others. */
const PAINTED_ROWS = 20

interface ListProps {
  list: PagesList
  filters: Filters
  onFilters(filters: Filters, isTyping?: boolean): void
}

/** The search, the table, and what can be done with the chosen pages. */
export function List({ list, filters, onFilters }: ListProps) {
  const { pages, hasNextPage, fetchNextPage } = list
  const order = pages.map(({ id }) => id)
  const [chosen, setChosen] = useState(NOTHING)
  const selection = keep(chosen, order)
  const client = useQueryClient()
  const searchBox = useRef<HTMLInputElement>(null)
  const clear = () => setChosen(NOTHING)
  const choose = (id: string, isRange: boolean) =>
    setChosen(isRange ? extendTo(selection, id, order) : toggle(selection, id))
  const chooseAll = (ids: readonly string[]) => setChosen({ ids: new Set(ids), anchor: null })
  useRowKeys({ searchBox, onChoose: choose, onClear: clear })

  /** Reads the rest of the list first, so that every selected page is visible. */
  async function chooseEverything(): Promise<void> {
    let read = list.allIds
    for (let more = hasNextPage; more; ) {
      const answer = await fetchNextPage()
      if (answer.isError) break
      more = answer.hasNextPage
      read = answer.data?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? read
    }
    chooseAll(read)
  }
  const isHydrated = useIsHydrated()
  const areAllChosen = selection.ids.size === pages.length && !hasNextPage
  return (
    <>
      <Toolbar filters={filters} onChange={onFilters} searchBox={searchBox} />
      {pages.length > 0 && (
        <PagesTable
          pages={isHydrated ? pages : pages.slice(0, PAINTED_ROWS)}
          filters={filters}
          selection={selection}
          onSort={onFilters}
          onChoose={choose}
          onChooseAll={(areAll) => (areAll ? void chooseEverything() : clear())}
        />
      )}
      {hasNextPage && isHydrated && <More list={list} />}
      {selection.ids.size > 0 && (
        <SelectionBar
          urls={pages.filter(({ id }) => selection.ids.has(id)).map(({ url }) => url)}
          onChooseAll={areAllChosen ? null : () => void chooseEverything()}
          onClear={clear}
          onDelete={() => {
            deleteWithUndo(
              client,
              pages.filter(({ id }) => selection.ids.has(id)),
            )
            clear()
          }}
        />
      )}
    </>
  )
}

/** Reads the next part of the list when its end comes near, or when it is asked to. */
function More({ list }: { list: PagesList }) {
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError } = list
  const load = () => void fetchNextPage({ cancelRefetch: false })
  const end = useNear(() => !isFetchNextPageError && load())
  return (
    <div ref={end} className="py-4 text-center">
      <Button look="quiet" disabled={isFetchingNextPage} onClick={load}>
        {isFetchingNextPage ? 'Loading more' : 'Load more'}
      </Button>
    </div>
  )
}
