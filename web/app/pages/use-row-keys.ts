import type { RefObject } from 'react'
import { useKeys } from '../frame/keys.ts'

interface RowKeys {
  searchBox: RefObject<HTMLInputElement | null>
  onChoose(id: string, isRange: boolean): void
  onClear(): void
}

/**
 * Keys of the list: `j` and `k` go to the next and the previous row, whose link has the focus, so
 * that Enter opens it; `x` chooses it.
 */
export function useRowKeys({ searchBox, onChoose, onClear }: RowKeys): void {
  useKeys({
    '/': () => {
      searchBox.current?.focus()
      searchBox.current?.select()
    },
    j: () => focusRow(1),
    k: () => focusRow(-1),
    x: ({ shiftKey }) => {
      const id = focusedRow()?.dataset.id
      if (id !== undefined) onChoose(id, shiftKey)
    },
    escape: onClear,
  })
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-id]') ?? null
}

function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-id]')]
  const focused = focusedRow()
  const at = focused === null ? -1 : rows.indexOf(focused)
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)]
  row?.querySelector('a')?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}
