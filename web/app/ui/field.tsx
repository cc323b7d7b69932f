import { type ComponentProps, type ReactNode, useId } from 'react'

export const INPUT =
  'w-full min-h-9 rounded-control border border-control bg-raised px-3 py-1.5 text-15 text-ink ' +
  'not-[select]:read-only:bg-sunk pointer-coarse:min-h-11 pointer-coarse:text-17 ' +
  'aria-invalid:border-danger disabled:opacity-50'

interface FieldProps {
  label: string
  help?: ReactNode
  error?: string | null | undefined
  /** The label is read out, and not shown. */
  isLabelHidden?: boolean
}

interface Wired {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

/** A label, a control, and what helps or went wrong. */
function Labelled({
  label,
  help,
  error,
  isLabelHidden,
  control,
}: FieldProps & { control: (wired: Wired) => ReactNode }) {
  const id = useId()
  const note = `${id}-note`
  const hasNote = Boolean(error ?? help)
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-13 font-medium'}>
        {label}
      </label>
      {control({
        id,
        ...(hasNote && { 'aria-describedby': note }),
        ...(error && { 'aria-invalid': true }),
      })}
      {hasNote && (
        <p
          id={note}
          role={error ? 'alert' : undefined}
          className={`text-13 ${error ? 'text-danger' : 'text-muted'}`}
        >
          {error ?? help}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  help,
  error,
  isLabelHidden,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  const field = { label, help, error, isLabelHidden: isLabelHidden ?? false }
  return (
    <Labelled
      {...field}
      control={(wired) => <input className={`${INPUT} ${className}`} {...wired} {...rest} />}
    />
  )
}

export function TextArea({
  label,
  help,
  error,
  isLabelHidden,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  const field = { label, help, error, isLabelHidden: isLabelHidden ?? false }
  return (
    <Labelled
      {...field}
      control={(wired) => <textarea className={`${INPUT} ${className}`} {...wired} {...rest} />}
    />
  )
}

export function Select({
  label,
  help,
  error,
  isLabelHidden,
  className = '',
  ...rest
}: FieldProps & ComponentProps<'select'>) {
  const field = { label, help, error, isLabelHidden: isLabelHidden ?? false }
  return (
    <Labelled
      {...field}
      control={(wired) => <select className={`${INPUT} ${className}`} {...wired} {...rest} />}
    />
  )
}
