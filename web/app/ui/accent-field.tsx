import { useId } from 'preact/compat'
import { ACCENTS, type Accent } from '../../../src/model/accent.ts'
import { firstUpper } from '../../../src/model/decision.ts'

interface AccentFieldProps {
  /** Null: that of what it belongs to, which the first swatch shows. */
  value: Accent | null
  /** Adds a swatch for no choice of one’s own: what it is called, and its colour now. */
  inherited?: { name: string; accent: Accent }
  accents?: readonly Accent[]
  help: string
  isDisabled?: boolean
  onChange(accent: Accent | null): void
}

/** Each swatch has a name. */
export function AccentField(props: AccentFieldProps) {
  const { value, inherited, accents = ACCENTS, help, isDisabled, onChange } = props
  const group = useId()
  const swatch = (accent: Accent | null, name: string) => (
    <label
      key={accent}
      data-accent={accent ?? inherited?.accent}
      title={name}
      className="flex h-9 min-w-9 items-center justify-center gap-2 rounded-full border-2 border-transparent forced-color-adjust-none has-checked:border-ink forced-colors:has-checked:border-[Highlight] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink has-disabled:opacity-60 pointer-coarse:h-11 pointer-coarse:min-w-11"
    >
      <input
        type="radio"
        name={group}
        aria-label={name}
        className="sr-only"
        disabled={isDisabled}
        checked={accent === value}
        onChange={() => onChange(accent)}
      />
      <span aria-hidden className={`size-6 rounded-full bg-accent ${accent ? '' : 'ml-1.5'}`} />
      {accent === null && (
        <span aria-hidden className="pr-3 text-13">
          {name}
        </span>
      )}
    </label>
  )
  return (
    <fieldset>
      <legend className="text-13 font-medium">Accent</legend>
      <div className="mt-1 flex flex-wrap gap-1">
        {inherited && swatch(null, inherited.name)}
        {accents.map((accent) => swatch(accent, firstUpper(accent)))}
      </div>
      <p className="mt-1 text-13 text-muted">
        {value === null ? '' : `${firstUpper(value)}. `}
        {help}
      </p>
    </fieldset>
  )
}
