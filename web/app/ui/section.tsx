import { type ComponentProps, type ReactNode, useId } from 'preact/compat'
import { ScrollArea } from './scroll-area.tsx'

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
  problem?: ReactNode
  facts?: ReactNode
  children: ReactNode
}

export function ListRow({ name, about, hint, problem, facts, children }: ListRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-2.5">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium break-words" dir="auto">
          {name}
        </p>
        <p className="text-13 break-words text-muted" title={hint}>
          {about}
        </p>
        {problem && <div className="text-13 break-words text-danger">{problem}</div>}
      </div>
      {facts && <p className="text-13 text-muted tabular-nums">{facts}</p>}
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </li>
  )
}

export function RowList({ className = '', ...rest }: ComponentProps<'ul'>) {
  return <ul className={`border-t border-line ${className}`} {...rest} />
}

interface TableProps {
  label: string
  columns: readonly string[]
  /** By its key, what stands in each row; the first cell names it. */
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[]
}

/** A small table, which scrolls sideways where it has no space. */
export function Table({ label, columns, rows }: TableProps) {
  return (
    <ScrollArea className="overflow-x-auto">
      <table aria-label={label} className="w-full text-13">
        <thead className="text-left text-muted">
          <tr className="border-b border-line">
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, ...cells]) => (
            <tr key={key} className="border-b border-line align-top">
              <th scope="row" className="max-w-64 py-2 pr-4 text-left font-normal">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="py-2 pr-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

interface NoticeProps {
  actions: ReactNode
  isAlert?: boolean
  children: ReactNode
}

/** What has happened, with what to do about it. */
export function Notice({ actions, isAlert = false, children }: NoticeProps) {
  return (
    <div
      role={isAlert ? 'alert' : 'status'}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-control bg-raised px-4 py-2"
    >
      <p className={`min-w-0 break-words ${isAlert ? 'text-danger' : ''}`} dir="auto">
        {children}
      </p>
      <div className="flex gap-2">{actions}</div>
    </div>
  )
}
