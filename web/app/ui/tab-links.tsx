import { useEffect, useRef } from 'preact/compat'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { formatNumber } from '../../../src/model/numbers.ts'

interface TabLinksProps {
  label: string
  tabs: { name: string; href: string; isCurrent: boolean; count?: number | undefined }[]
  className?: string
}

/**
 * On a phone the links are wider than the screen: brings the current one into view, also when
 * counts have come and made those before it wider.
 *
 * @param links what is shown of them
 */
export function useCurrentInView(links: unknown) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the links
  useEffect(() => {
    const link = nav.current!.querySelector<HTMLElement>('[aria-current]')
    if (link === null) return
    const { offsetLeft, offsetWidth } = link
    const { clientWidth } = nav.current!
    nav.current!.scrollLeft = offsetLeft - (clientWidth - offsetWidth) / 2
  }, [JSON.stringify(links)])
  return nav
}

export function TabLinks({ label, tabs, className = '' }: TabLinksProps) {
  const nav = useCurrentInView(tabs)
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={`relative -mx-4 ring-room overflow-x-auto px-4 sm:-mx-1 sm:px-1 ${className}`}
    >
      <ul className="flex w-max min-w-full gap-5 border-b border-line">
        {tabs.map(({ name, href, isCurrent, count = 0 }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
              aria-description={count > 0 ? formatNumber(count) : undefined}
              className="-mb-px block border-b-2 border-transparent py-2 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink"
            >
              {name}
              {/* The name stays the same for those who find it by that. */}
              {count > 0 && (
                <span aria-hidden className="ml-1.5 text-13 text-muted tabular-nums">
                  {formatNumber(count)}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface View {
  /** In the address; empty for the first one. */
  value: string
  name: string
}

interface ViewsProps {
  label: string
  /** The member of the address’s query. */
  param: string
  views: readonly View[]
}

/** The parameters of an address with these values of one; an empty value is left out. */
export function withParam(params: URLSearchParams, name: string, ...values: string[]) {
  const next = new URLSearchParams(params)
  next.delete(name)
  for (const value of values) if (value !== '') next.append(name, value)
  return next
}

/** A parameter of the address, such as the view of a list; '' where it is not there. */
export function useSearchParam(name: string) {
  const [params, setParams] = useSearchParams()
  const set = (value = '') => setParams((before) => withParam(before, name, value))
  return [params.get(name) ?? '', set] as const
}

export function Views({ label, param, views }: ViewsProps) {
  const [path] = useLocation()
  const [params] = useSearchParams()
  const addressOf = (value: string) => {
    const query = withParam(params, param, value)
    return query.size === 0 ? path : `${path}?${query}`
  }
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-1">
        {views.map(({ value, name }) => (
          <li key={value}>
            <Link
              href={addressOf(value)}
              aria-current={value === (params.get(param) ?? '') ? 'true' : undefined}
              className="inline-flex min-h-8 items-center rounded-control px-2.5 text-13 text-muted hover:text-ink aria-[current]:bg-sunk aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
