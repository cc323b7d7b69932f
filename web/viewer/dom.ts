/** The element with this id in the server's markup; throws where it is missing. */
export function elementById<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} #${id}`)
  return element
}

export function buttonById(id: string): HTMLButtonElement {
  return elementById(id, HTMLButtonElement)
}

const ANNOUNCE_DELAY_MS = 250
let announceTimer: ReturnType<typeof setTimeout> | undefined

/** Lets screen readers say a text; of several in a row, the last one. */
export function announce(text: string): void {
  const status = elementById('status', HTMLElement)
  clearTimeout(announceTimer)
  announceTimer = setTimeout(() => {
    status.textContent = text
  }, ANNOUNCE_DELAY_MS)
}

/** Keys typed into a field are not shortcuts, nor are those typed in the panel's shadow tree. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath()
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}
