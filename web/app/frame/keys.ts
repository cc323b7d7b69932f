import { useWindowEvent } from '../hooks.ts'

/** What the keys do here, by the key's name: `c`, `/`, `mod+k`. */
export type Keys = Record<string, (event: KeyboardEvent) => void>

/**
 * Keys of a screen, while it is shown. A key alone does nothing in a field, in a dialog, or with a
 * modifier.
 */
export function useKeys(keys: Keys): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented) return
    const hasModifier = event.metaKey || event.ctrlKey
    const key = event.key.toLowerCase()
    const run = keys[(hasModifier ? 'mod+' : '') + key]
    if (run === undefined || (!hasModifier && event.altKey)) return
    // A field has an Undo of its own.
    if ((!hasModifier || /^[yz]$/.test(key)) && isTaken(event.target)) return
    event.preventDefault()
    run(event)
  })
}

/** Whether keys and what is pasted are of a field, or of an open dialog or menu. */
export function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [popover]:popover-open')) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}
