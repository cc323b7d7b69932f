import { type ReactNode, useId } from 'preact/compat'
import { Note } from './field.tsx'

export interface SwitchProps {
  label: string
  help?: ReactNode
  isOn: boolean
  isDisabled?: boolean
  onChange(isOn: boolean): void
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className={`flex justify-between gap-4 ${help ? 'items-start' : 'items-center'}`}>
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {help && <Note id={`${id}-help`}>{help}</Note>}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-describedby={help ? `${id}-help` : undefined}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
        className="relative my-0.5 h-6 forced-color-adjust-none w-10 shrink-0 rounded-full border border-control bg-sunk transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-4.5 after:rounded-full after:bg-control after:transition-transform disabled:opacity-50 aria-checked:border-transparent aria-checked:bg-accent aria-checked:after:translate-x-4 aria-checked:after:bg-on-accent"
      />
    </div>
  )
}
