import type { ReactNode } from 'react'
import { useId } from 'react'

export interface ChoiceOption<V extends string> {
  value: V
  label: string
  icon?: ReactNode
}

interface ChoiceProps<V extends string> {
  /** What is chosen here: read out, and not shown. */
  label: string
  value: V
  options: ChoiceOption<V>[]
  onChange(value: V): void
}

/** A choice among few, which takes effect at once: radio buttons in one frame. */
export function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-line bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-[4px] px-2.5 text-13 text-muted has-checked:bg-sunk has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-10"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
