/** The element with this id, which the server's markup promises. */
export function part<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`)
  return found
}

export function button(id: string): HTMLButtonElement {
  return part(id, HTMLButtonElement)
}

/** Said to screen readers, once things have settled. */
export function announce(text: string): void {
  const status = part('status', HTMLElement)
  clearTimeout(announcing)
  announcing = setTimeout(() => {
    status.textContent = text
  }, 250)
}
let announcing: ReturnType<typeof setTimeout> | undefined

/** Whether a key belongs to what is being typed in. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}
