/**
 * Ignores a press that was not meant for this window. A page can lure somebody into a double click
 * and close its window between the two: the second one lands on what appears beneath. So a pointer
 * does nothing for 600 ms after the document was loaded, and after its window came to the front. A
 * press is judged by the time of its event, even where a busy script handles it later.
 *
 * What comes to the front is the window. While a page in our frame has the focus, no event says it,
 * so the window is looked at. A press that moves the focus out of the frame counts at once.
 *
 * Documents contain the text of this function and the next, so each uses nothing from outside.
 */
export function guardPointers(window: Window): void {
  const GUARD_MS = 600
  const LOOK_MS = 250
  /** Shorter than anybody takes to see another window and press something in it. */
  const UNSEEN_MS = 1_000
  const { document, performance } = window
  const { style } = document.documentElement
  let guardedUntil = 0
  let isGuardedPress = false
  let isBehind = !document.hasFocus()
  let isInFrame = false
  let lastLook = 0
  let guardTimer = 0
  let watch = 0

  function start(at: number): void {
    guardedUntil = at + GUARD_MS
    // Styles let the pointer through what it cannot press yet.
    style.setProperty('--press', 'none')
    window.clearTimeout(guardTimer)
    guardTimer = window.setTimeout(() => style.removeProperty('--press'), GUARD_MS)
  }

  function look(): void {
    const now = performance.now()
    const hasFocus = document.hasFocus()
    // A page that keeps the browser busy could hide that the window was behind another one.
    const isUnseen = now - lastLook > UNSEEN_MS
    if (hasFocus && (isBehind || isUnseen)) start(now)
    isBehind = !hasFocus
    isInFrame = hasFocus && document.activeElement?.localName === 'iframe'
    lastLook = now
  }

  function leave(): void {
    lastLook = performance.now()
    // Some browsers move the focus after this event.
    window.setTimeout(look)
    window.clearInterval(watch)
    watch = window.setInterval(look, LOOK_MS)
  }

  function enter(): void {
    if (isInFrame) look()
    else start(performance.now())
    isInFrame = false
    isBehind = false
    window.clearInterval(watch)
    watch = 0
  }

  function press(event: Event): void {
    if (!event.isTrusted) return
    if (watch !== 0) look()
    isGuardedPress = event.timeStamp < guardedUntil
    if (isGuardedPress) event.stopImmediatePropagation()
  }

  function follow(event: Event): void {
    const isByKey = event.type === 'click' && (event as MouseEvent).detail === 0
    const isGuarded = isGuardedPress || event.timeStamp < guardedUntil
    if (!event.isTrusted || isByKey || !isGuarded) return
    event.stopImmediatePropagation()
    // Without `mousedown`, which puts the caret into a field.
    if (event.type.endsWith('click')) event.preventDefault()
  }

  const listeners: Record<string, (event: never) => void> = {
    blur: ({ target }: Event) => target === window && leave(),
    focus: ({ target }: Event) => target === window && enter(),
    pointerdown: press,
  }
  // The document came from memory, or its frame left the whole screen or had the panel opened. The
  // first load began with this script: what it waits for may come while people press already.
  const appearing = ['pageshow', 'fullscreenchange', 'handbill:appear']
  for (const type of appearing) {
    listeners[type] = ({ persisted, timeStamp }: PageTransitionEvent) =>
      persisted !== false && start(timeStamp)
  }
  const following = ['mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick']
  for (const type of following) listeners[type] = follow
  for (const [type, listener] of Object.entries(listeners)) {
    window.addEventListener(type, listener as EventListener, true)
  }
  document.addEventListener('visibilitychange', ({ timeStamp }) => {
    if (document.visibilityState === 'visible') start(timeStamp)
  })
  start(performance.now())
  if (isBehind) leave()
}

/**
 * Enter and Space count only if their press began here: a key that is held goes on repeating in the
 * next window. The keys by which an input method composes a word are its own: Enter takes the word,
 * and sends nothing. An editor has a use for them. Everything else that is typed is left alone.
 */
export function guardKeys(window: Window): void {
  const keysDown = new Set<string>()
  /** The code of a composed key. Safari ends the composition before it sends the key. */
  const COMPOSED = 229

  function press(event: KeyboardEvent): void {
    const { key, code, repeat } = event
    const isComposed = event.isComposing || event.keyCode === COMPOSED
    if (isComposed && !targetOf(event).isContentEditable) event.stopImmediatePropagation()
    if (!repeat) keysDown.add(code)
    const isHeld = event.isTrusted && repeat && !keysDown.has(code)
    if (!isHeld || (key !== 'Enter' && key !== ' ') || isText(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function targetOf(event: KeyboardEvent): HTMLInputElement {
    return event.composedPath()[0] as HTMLInputElement
  }

  /** Whether the key writes. In a field of one line, Enter sends the form. */
  function isText(event: KeyboardEvent): boolean {
    const { isContentEditable, localName, type } = targetOf(event)
    const isLine = localName === 'input' && type !== 'checkbox' && type !== 'radio'
    return isContentEditable || localName === 'textarea' || (isLine && event.key === ' ')
  }

  window.addEventListener('keydown', press, true)
  window.addEventListener('keyup', ({ code }) => keysDown.delete(code), true)
  window.addEventListener('blur', ({ target }) => target === window && keysDown.clear(), true)
}
