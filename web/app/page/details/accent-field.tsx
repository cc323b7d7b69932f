import { useId } from 'react'
import type { Page } from '../../boot.ts'

type Accent = Page['accent']

const NAMES: Record<Accent, string> = {
  slate: 'Slate',
  red: 'Red',
  orange: 'Orange',
  amber: 'Amber',
  green: 'Green',
  teal: 'Teal',
  blue: 'Blue',
  indigo: 'Indigo',
  violet: 'Violet',
  pink: 'Pink',
}
const ACCENTS = Object.keys(NAMES) as Accent[]

/** The colour of what Handbill adds to the page. Each swatch has a name. */
export function AccentField({
  value,
  onChange,
}: {
  value: Accent
  onChange(accent: Accent): void
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className="text-13 font-medium">Accent</legend>
      <div className="mt-1 flex flex-wrap gap-1">
        {ACCENTS.map((accent) => (
          <label
            key={accent}
            data-accent={accent}
            title={NAMES[accent]}
            className="grid size-9 place-items-center rounded-full border-2 border-transparent has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink pointer-coarse:size-11"
          >
            <input
              type="radio"
              name={name}
              aria-label={NAMES[accent]}
              className="sr-only"
              checked={accent === value}
              onChange={() => onChange(accent)}
            />
            <span aria-hidden className="size-6 rounded-full bg-accent" />
          </label>
        ))}
      </div>
      <p className="mt-1 text-13 text-muted">
        {NAMES[value]}. Colours the gate, the viewer, comments and polls of this page.
      </p>
    </fieldset>
  )
}
