const INTERACTIVE = 'a, button, input, select, textarea, label, summary, video, audio'

/** Clicks that neither select text nor do anything else in the page. */
export function onPlainClick(listener: (event: MouseEvent, target: Element) => void): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || !getSelection()?.isCollapsed) return
    const { target } = event
    if (target instanceof Element && target.closest(INTERACTIVE) === null) listener(event, target)
  })
}
