import {
  type ChangeEvent,
  type ComponentProps,
  type ElementType,
  type ReactNode,
  useId,
} from 'preact/compat'
import { messageOf } from '../api.ts'

export const INPUT =
  'w-full min-h-9 rounded-control border border-control bg-raised px-3 py-1.5 text-15 text-ink ' +
  '[&:is(select)]:pr-8 not-[select]:read-only:bg-sunk pointer-coarse:min-h-11 ' +
  'pointer-coarse:text-17 aria-invalid:border-danger disabled:opacity-50'

interface FieldProps {
  label: string
  help?: ReactNode
  /** A sentence, or the error that has it. */
  error?: unknown
  /** The label is read out, and not shown. */
  isLabelHidden?: boolean
  className?: string | undefined
  /** Called with what the control has in it. */
  onText?(text: string): void
}

/** A label, a control, and what helps or went wrong. All other properties are the control's. */
function Field(props: FieldProps & { control: ElementType; children?: ReactNode }) {
  const { control: Control, label, help, error, isLabelHidden, className = '', ...others } = props
  const { onText, ...rest } = others
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
        {...(error ? { 'aria-invalid': true } : {})}
        {...(onText && {
          onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
            onText(currentTarget.value),
        })}
        {...rest}
      />
      {error ? <Problem id={note} error={error} /> : hasNote && <Note id={note}>{help}</Note>}
    </div>
  )
}

export function Note({ className = '', ...rest }: ComponentProps<'p'>) {
  return <p className={`text-13 text-muted ${className}`} {...rest} />
}

interface ProblemProps extends ComponentProps<'p'> {
  /** A sentence, or the error that has it; nothing is shown where there is none. */
  error: unknown
}

/** What went wrong, which is read out as it appears. */
export function Problem({ error, className = 'text-13', ...rest }: ProblemProps) {
  if (!error) return null
  return (
    <p role="alert" className={`${className} text-danger`} {...rest}>
      {typeof error === 'string' ? error : messageOf(error)}
    </p>
  )
}

type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'type'> & { type?: string }

export function TextField(props: TextFieldProps) {
  return <Field control="input" {...props} />
}
export function TextArea(props: FieldProps & ComponentProps<'textarea'>) {
  return <Field control="textarea" {...props} />
}

type SelectProps = FieldProps &
  ComponentProps<'select'> & {
    /** The values, each with its words. Further options are the children. */
    options?: Readonly<Record<string, string>>
  }

export function Select({ options = {}, children, ...rest }: SelectProps) {
  return (
    <Field control="select" {...rest}>
      {children}
      {Object.entries(options).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </Field>
  )
}
