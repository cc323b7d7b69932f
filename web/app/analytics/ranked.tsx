import { Section } from '../ui/section.tsx'
import { formatNumber } from '../ui/text.ts'

export interface Ranked {
  name: string
  count: number
  /** Beside the number, such as the time spent there. */
  note?: string
}

interface RankedListProps {
  title: string
  about?: string
  items: Ranked[]
}

const SHOWN = 8

/** A list in descending order, each item with a bar for its share and its number. */
export function RankedList({ title, about, items }: RankedListProps) {
  const most = Math.max(1, ...items.map(({ count }) => count))
  const shown = items.slice(0, SHOWN)
  const others = items.slice(SHOWN).reduce((sum, { count }) => sum + count, 0)
  return (
    <Section title={title} about={about}>
      {items.length === 0 ? (
        <p className="text-13 text-muted">Nothing yet</p>
      ) : (
        <ol className="grid gap-1 text-13">
          {shown.map(({ name, count, note }) => (
            <li key={name} className="relative flex justify-between gap-4 px-2 py-1">
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm bg-accent/15"
                style={{ width: `${(count / most) * 100}%` }}
              />
              <span className="relative min-w-0 truncate" dir="auto">
                {name}
              </span>
              <span className="relative shrink-0 tabular-nums">
                {note && <span className="mr-3 text-muted">{note}</span>}
                {formatNumber(count)}
              </span>
            </li>
          ))}
          {others > 0 && (
            <li className="flex justify-between gap-4 px-2 py-1 text-muted">
              <span>Others</span>
              <span className="tabular-nums">{formatNumber(others)}</span>
            </li>
          )}
        </ol>
      )}
    </Section>
  )
}
