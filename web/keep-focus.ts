/** Between a key or a field that is left, and the focus of the page. */
const RECENT_MS = 100

/**
 * Gives the focus back where the page in a frame took it by itself, so that it reads no key meant
 * for our document. Under a mouse that is over the page, and wherever people use a finger, a press
 * in the page looks the same: there it keeps the focus.
 *
 * @param isAlways whether it is also kept where it was on nothing of ours
 * @returns a function that stops it
 */
export function keepFocus(frameOf: () => HTMLElement | null, isAlways: boolean): () => void {
  let last: HTMLElement | null = null
  let leftAt = 0
  let tabbedAt = Number.NEGATIVE_INFINITY
  let isMouse = true
  const stop = new AbortController()
  function giveBack(): void {
    const frame = frameOf()
    if (document.activeElement !== frame) return
    frame?.blur()
    window.focus()
    if (last !== frame) last?.focus({ preventScroll: true })
  }
  function listen(event: Event): void {
    const { type, target, timeStamp } = event
    // In a shadow tree, as the panel has one, only what leaves it is heard here.
    if (type.startsWith('focus')) last = event.composedPath()[0] as HTMLElement
    if (type === 'focusout') leftAt = timeStamp
    else if (type === 'pointerdown') isMouse = (event as PointerEvent).pointerType === 'mouse'
    else if (type === 'keydown' && (event as KeyboardEvent).key === 'Tab') tabbedAt = timeStamp
    if (type !== 'blur' || target !== window) return
    const isByPerson = !isMouse || frameOf()?.matches(':hover') || timeStamp - tabbedAt < RECENT_MS
    // The focus is still on its way.
    if (!isByPerson && (isAlways || timeStamp - leftAt < RECENT_MS)) setTimeout(giveBack)
  }
  for (const type of ['focusin', 'focusout', 'pointerdown', 'keydown', 'blur']) {
    window.addEventListener(type, listen, { capture: true, signal: stop.signal })
  }
  return () => stop.abort()
}
