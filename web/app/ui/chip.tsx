import { X } from 'lucide-preact'
import type { ReactNode } from 'preact/compat'
import { Menu } from './menu.tsx'

const CHIP =
  'inline-flex min-h-9 items-center gap-1.5 rounded-full border px-3 text-13 whitespace-nowrap ' +
  'hover:border-control pointer-coarse:min-h-11'
const CHOSEN = 'rounded-r-none! border-r-0! border-control bg-sunk'

export const PLAIN_CHIP = `${CHIP} shrink-0 border-line`

interface FilterChipProps {
  label: string
  /** What is chosen, in words. */
  choice: string | null
  onRemove(): void
  /** The button that chooses. */
  children(text: string, look: string): ReactNode
}

/** A filter, which says what is chosen and is taken away with one press. */
export function FilterChip({ label, choice, onRemove, children }: FilterChipProps) {
  const text = choice === null ? label : `${label}: ${choice}`
  return (
    <span className="inline-flex max-w-full min-w-0 shrink-0">
      {children(text, `${CHIP} min-w-0 ${choice === null ? 'border-line' : CHOSEN}`)}
      {choice !== null && (
        <button
          type="button"
          aria-label={`Remove the filter ${text}`}
          onClick={onRemove}
          className={`${CHIP} rounded-l-none! border-control bg-sunk pl-1!`}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}

interface ChoiceChipProps {
  label: string
  /** What can be chosen, with its words. */
  words: Readonly<Record<string, string>>
  value: string | undefined
  onChange(value: string | undefined): void
}

export function ChoiceChip({ label, words, value, onChange }: ChoiceChipProps) {
  const choice = value === undefined ? null : (words[value] ?? value)
  const items = Object.entries(words).map(([key, word]) => ({
    label: word,
    isChosen: key === value,
    onSelect: () => onChange(key),
  }))
  return (
    <FilterChip label={label} choice={choice} onRemove={() => onChange(undefined)}>
      {(text, look) => <Menu label={text} look={look} items={items} />}
    </FilterChip>
  )
}
