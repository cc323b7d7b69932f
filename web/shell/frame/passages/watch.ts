/** Scripts often change a page many times at once. */
const SETTLE_MS = 400

/** Calls back when the document has changed, and then nothing more for a moment. */
export function onContentChange(listener: () => void, attributeFilter: string[] = []): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(listener, SETTLE_MS)
  }
  new MutationObserver(schedule).observe(document, {
    childList: true,
    characterData: true,
    subtree: true,
    ...(attributeFilter.length > 0 && { attributeFilter }),
  })
}

/** Events after which an element may have moved or be covered, besides a resize of the document. */
const MOVING_EVENTS = ['scroll', 'load', 'toggle', 'transitionend', 'animationend']
const MOVING_ATTRIBUTES = ['class', 'style', 'hidden', 'open']

/** Calls back, at most once a frame, when elements may be elsewhere on the screen. */
export function onViewChange(listener: () => void): void {
  let isScheduled = false
  const run = () => {
    isScheduled = false
    listener()
  }
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(run)
  }
  // Most of these events do not bubble.
  const options = { passive: true, capture: true }
  for (const type of MOVING_EVENTS) window.addEventListener(type, schedule, options)
  window.addEventListener('resize', schedule)
  const sizes = new ResizeObserver(schedule)
  sizes.observe(document.documentElement)
  if (document.body !== null) sizes.observe(document.body)
  const changes = { subtree: true, attributeFilter: MOVING_ATTRIBUTES }
  new MutationObserver(schedule).observe(document, changes)
}
