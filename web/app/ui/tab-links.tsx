import { useEffect, useRef } from 'react'
import { Link } from 'wouter'

interface TabLinksProps {
  label: string
  tabs: { name: string; href: string; isCurrent: boolean }[]
  className?: string
}

export function TabLinks({ label, tabs, className = '' }: TabLinksProps) {
  const nav = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  // On a phone the links are wider than the screen: the current one is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the current link
  useEffect(() => {
    const link = nav.current!.querySelector<HTMLElement>('[aria-current]')
    if (link === null) return
    const { offsetLeft, offsetWidth } = link
    const { clientWidth } = nav.current!
    nav.current!.scrollLeft = offsetLeft - (clientWidth - offsetWidth) / 2
  }, [current])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={`relative -mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0 ${className}`}
    >
      <ul className="flex w-max min-w-full gap-5 border-b border-line">
        {tabs.map(({ name, href, isCurrent }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
              className="-mb-px block border-b-2 border-transparent py-2 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
