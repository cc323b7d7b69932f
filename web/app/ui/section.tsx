import { type ComponentProps, type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  about?: ReactNode
  children: ReactNode
}

export function Section({ title, about, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 content-start gap-4">
      <div>
        <h2 id={id} className="text-17 font-medium">
          {title}
        </h2>
        {about && <p className="text-muted">{about}</p>}
      </div>
      {children}
    </section>
  )
}

/** Names and their values, one pair in a line. */
export function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return (
    <dl className="border-t border-line">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2.5"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A bar for a share from 0 to 1, whose numbers stand beside it as text. */
export function ShareBar({ share, className = 'h-1' }: { share: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      className={`w-full overflow-hidden rounded-full ${className}`}
    >
      <rect width="100%" height="100%" className="fill-line" />
      <rect width={`${Math.min(1, share) * 100}%`} height="100%" className="fill-accent" />
    </svg>
  )
}

interface ListRowProps {
  name: ReactNode
  about: ReactNode
  /** Said on hover of what it is about. */
  hint?: string
  children: ReactNode
}

export function ListRow({ name, about, hint, children }: ListRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words" dir="auto">
          {name}
        </p>
        <p className="text-13 break-words text-muted" title={hint}>
          {about}
        </p>
      </div>
      {children}
    </li>
  )
}

/** A list whose rows stand between hairlines. */
export function RowList(props: ComponentProps<'ul'>) {
  return <ul className="border-t border-line" {...props} />
}
