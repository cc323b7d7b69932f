import { isTyping } from './dom.ts'

const MIN_SCROLL_PX = 6
/** Above this the reader is at the top, where the bars stay. */
const TOP_PX = 24
const INPUT_WINDOW_MS = 800
const TOP_BAR_ZONE_PX = 64
const BOTTOM_BAR_ZONE_PX = 88

/**
 * Hides the bars while the reader scrolls down. They return when the reader scrolls up, moves the
 * mouse near them, taps, or presses Tab or Escape.
 */
export function hideBarsWhileReading(container: HTMLElement): void {
  let lastTop = container.scrollTop
  let lastInputAt = Number.NEGATIVE_INFINITY
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const) {
    const onInput = (event: Event) => {
      const isHover = name === 'pointermove' && (event as PointerEvent).buttons === 0
      if (!isHover) lastInputAt = event.timeStamp
    }
    document.addEventListener(name, onInput, { passive: true })
  }
  function follow(): void {
    const { scrollTop } = container
    if (Math.abs(scrollTop - lastTop) < MIN_SCROLL_PX) return
    const isJump = Math.abs(scrollTop - lastTop) > container.clientHeight
    // A zoom or the first layout also scrolls, without input shortly before.
    if (performance.now() - lastInputAt < INPUT_WINDOW_MS) {
      setReading((scrollTop > lastTop || isJump) && scrollTop > TOP_PX)
    }
    lastTop = scrollTop
  }
  container.addEventListener('scroll', follow, { passive: true })
  document.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse') return
    // Its owner has a bar above the document.
    const fromTop = event.clientY - container.getBoundingClientRect().top
    const isNearBar =
      fromTop < TOP_BAR_ZONE_PX || event.clientY > window.innerHeight - BOTTOM_BAR_ZONE_PX
    if (isNearBar) setReading(false)
  })
  container.addEventListener('click', (event) => {
    const { pointerType } = event as PointerEvent
    const onLink = event.target instanceof Element && event.target.closest('a, input, button')
    if (pointerType === 'touch' && !onLink) setReading(!document.body.hasAttribute('data-reading'))
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' || (event.key === 'Escape' && !isTyping(event))) setReading(false)
  })
}

export function setReading(reading: boolean): void {
  document.body.toggleAttribute('data-reading', reading)
}
