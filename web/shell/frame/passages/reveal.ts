/** Scrolls an element to the middle of the screen. */
export function revealElement(element: Element | null): void {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' })
}
