import { isTyping } from './dom.ts'

/**
 * The bars step back while one reads on, and return for who turns round, comes near their edge,
 * taps, or moves to them with the keyboard.
 */
export function stepBack(container: HTMLElement): void {
  let last = container.scrollTop
  let touchedAt = Number.NEGATIVE_INFINITY
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const) {
    const touched = (event: Event) => {
      if (name !== 'pointermove' || (event as PointerEvent).buttons > 0) touchedAt = event.timeStamp
    }
    document.addEventListener(name, touched, { passive: true })
  }
  container.addEventListener(
    'scroll',
    () => {
      const { scrollTop } = container
      if (Math.abs(scrollTop - last) < 6) return
      // A scroll that nobody's hand made (a zoom, a jump, the first layout) is not reading.
      const leapt = Math.abs(scrollTop - last) > container.clientHeight
      if (performance.now() - touchedAt < 800) {
        setReading((scrollTop > last || leapt) && scrollTop > 24)
      }
      last = scrollTop
    },
    { passive: true },
  )
  document.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse') return
    if (event.clientY < 64 || event.clientY > window.innerHeight - 88) setReading(false)
  })
  container.addEventListener('click', (event) => {
    const { pointerType } = event as PointerEvent
    const onLink = event.target instanceof Element && event.target.closest('a, input, button')
    if (pointerType === 'touch' && !onLink) setReading(!isReading())
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' || (event.key === 'Escape' && !isTyping(event.target))) {
      setReading(false)
    }
  })
}

export function setReading(reading: boolean): void {
  document.body.toggleAttribute('data-reading', reading)
}

function isReading(): boolean {
  return document.body.hasAttribute('data-reading')
}
