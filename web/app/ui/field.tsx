import { type ComponentProps, type ElementType, type ReactNode, useId } from 'react'

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
  className?: string | undefined
}

/** A label, a control, and what helps or went wrong. All other properties are the control's. */
function Field({
  control: Control,
  label,
  help,
  error,
  isLabelHidden = false,
  className = '',
  ...rest
}: FieldProps & { control: ElementType }) {
  const id = useId()
  const note = `${id}-note`
  const hasNote = Boolean(error ?? help)
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-13 font-medium'}>
        {label}
      </label>
      <Control
        id={id}
        className={`${INPUT} ${className}`}
        {...(hasNote && { 'aria-describedby': note })}
        {...(error && { 'aria-invalid': true })}
        {...rest}
      />
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

export function TextField(props: FieldProps & ComponentProps<'input'>) {
  return <Field control="input" {...props} />
}

export function TextArea(props: FieldProps & ComponentProps<'textarea'>) {
  return <Field control="textarea" {...props} />
}

export function Select(props: FieldProps & ComponentProps<'select'>) {
  return <Field control="select" {...props} />
}
