import { useRef, useState } from 'react'
import { useKeys } from '../frame/keys.ts'

/** One entry of a list is chosen by `j` and `k`; `e` and `r` press its buttons with these keys. */
export function useSelection(ids: readonly string[]) {
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<{ id: string; at: number } | null>(null)
  const at = chosen === null ? -1 : ids.indexOf(chosen.id)

  function elementAt(index: number): HTMLElement | undefined {
    return list.current?.children[index] as HTMLElement | undefined
  }
  function choose(index: number): void {
    const id = ids[index]
    if (id === undefined) return
    setChosen({ id, at: index })
    const element = elementAt(index)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }
  function step(by: number): void {
    // If the selected entry is gone, the entry now in its place is selected.
    const from = at >= 0 ? at : chosen === null ? -1 : chosen.at - (by > 0 ? 1 : 0)
    choose(Math.min(Math.max(from + by, 0), ids.length - 1))
  }
  function press(key: string): void {
    elementAt(at)?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.click()
  }
  useKeys({ j: () => step(1), k: () => step(-1), e: () => press('e'), r: () => press('r') })
  return {
    list,
    isChosen: (id: string) => id === chosen?.id,
    /** Something in the entry was focused or pressed. */
    enter: (id: string) => setChosen({ id, at: ids.indexOf(id) }),
  }
}
