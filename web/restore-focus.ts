const CONTROLS = 'a, button, input, select, textarea, summary, [role]'

/**
 * Gives the keyboard a place where the element that it was on is gone: on another screen the
 * heading, else what is now there. On the body, screen readers say nothing, or begin at the top.
 * A control is not chosen: whoever presses Enter twice would press that, too.
 *
 * @param title selects the heading
 */
export function restoreFocus(root: HTMLElement | ShadowRoot, title: string): void {
  let last: HTMLElement | null = null
  let place: HTMLElement | null = null
  let path = location.pathname

  function remember(element: HTMLElement | null): void {
    last = element
    path = location.pathname
  }

  function restore(): void {
    const heading = root.querySelector<HTMLElement>(title)
    const isElsewhere = location.pathname !== path
    const places = isElsewhere ? [heading] : last?.isConnected ? [last] : last && [place, heading]
    for (const next of places ?? []) {
      if (next === null || document.activeElement !== document.body) continue
      if (next.tabIndex < 0) next.tabIndex = -1
      next.focus({ preventScroll: true })
    }
  }

  const observer = new MutationObserver((records) => {
    for (const { target, nextSibling, removedNodes } of records) {
      if (![...removedNodes].some((node) => node.contains(last))) continue
      const around = target as HTMLElement
      const isItem = nextSibling instanceof HTMLElement && !nextSibling.matches(CONTROLS)
      const isScreen = around.matches('body, #root, main, main > div, [role=status]')
      place = isItem ? nextSibling : isScreen ? null : around
    }
    // A component that has another place for it comes first.
    if (document.activeElement === document.body) setTimeout(restore)
  })
  observer.observe(root, { childList: true, subtree: true })
  root.addEventListener('focusin', ({ target }) => remember(target as HTMLElement))
  root.addEventListener('focusout', ({ target }) => {
    // A press beside it gives it up; where it is being removed, it is gone by then.
    queueMicrotask(() => last === target && last?.isConnected && remember(null))
  })
}
