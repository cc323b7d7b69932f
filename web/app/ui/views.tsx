import { Link, useLocation, useSearch } from 'wouter'

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

/** The chosen view of a list, which stands in the address. */
export function useView(param: string): string {
  return new URLSearchParams(useSearch()).get(param) ?? ''
}

export function Views({ label, param, views }: ViewsProps) {
  const [path] = useLocation()
  const search = useSearch()
  const current = useView(param)
  const addressOf = (value: string) => {
    const query = new URLSearchParams(search)
    if (value === '') query.delete(param)
    else query.set(param, value)
    return query.size === 0 ? path : `${path}?${query}`
  }
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-1">
        {views.map(({ value, name }) => (
          <li key={value}>
            <Link
              href={addressOf(value)}
              aria-current={value === current ? 'true' : undefined}
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
