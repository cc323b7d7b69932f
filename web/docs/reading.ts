/** From the top of the window: a section that starts above it is being read. */
const READING_LINE = 180

/** Marks the section that is being read in the contents of the page. */
export function followReading(): void {
  const links = new Map<string, Element[]>()
  for (const link of document.querySelectorAll('nav a[href^="#"]')) {
    const id = link.getAttribute('href')!.slice(1)
    links.set(id, [...(links.get(id) ?? []), link])
  }
  const sections = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  if (sections.length === 0) return
  let marked = ''

  function mark(): void {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const current =
      isAtEnd && scrollY > 0
        ? sections.at(-1)
        : sections.findLast((each) => each.getBoundingClientRect().top < READING_LINE)
    const id = current?.id ?? ''
    if (id === marked) return
    for (const link of links.get(marked) ?? []) link.removeAttribute('aria-current')
    for (const link of links.get(id) ?? []) link.setAttribute('aria-current', 'true')
    marked = id
  }
  let isWaiting = false
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => {
        isWaiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
