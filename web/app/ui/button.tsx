import type { LucideIcon } from 'lucide-preact'
import { type ComponentProps, isValidElement, type ReactNode } from 'preact/compat'

const LOOKS = {
  primary: 'bg-accent text-on-accent border-transparent hover:opacity-90',
  plain: 'bg-raised text-ink border-line hover:border-control',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunk',
  danger: 'bg-danger text-on-danger border-transparent hover:opacity-90',
}
export type ButtonLook = keyof typeof LOOKS

const SHAPE =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-control border px-3 py-1.5 ' +
  'text-15 font-medium whitespace-nowrap no-underline transition-colors ' +
  'aria-disabled:opacity-50 pointer-coarse:min-h-11'

export function buttonClass(look: ButtonLook = 'plain', more = ''): string {
  return `${SHAPE} ${LOOKS[look]} ${more}`
}

/** An icon by its name, 16 pixels wide, or an element. */
export type Icon = LucideIcon | ReactNode

export function iconOf(icon: Icon, size = 16): ReactNode {
  if (isValidElement(icon) || !icon) return icon as ReactNode
  const Named = icon as LucideIcon
  return <Named size={size} />
}

/** Something that a press does, once at a time. */
export interface Mutation {
  isPending: boolean
  mutate(): void
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  className?: string | undefined
  look?: ButtonLook
  icon?: Icon
  mutation?: Mutation
}

/** Keeps the focus where the button does nothing: by `disabled`, the keyboard loses its place. */
function pressable({ disabled, ...rest }: ComponentProps<'button'>): ComponentProps<'button'> {
  if (!disabled) return rest
  return { ...rest, 'aria-disabled': true, onClick: (event) => event.preventDefault() }
}

export function Button({ look = 'plain', icon, className, mutation, ...props }: ButtonProps) {
  const { children, ...rest } = {
    ...(mutation && { disabled: mutation.isPending, onClick: () => mutation.mutate() }),
    ...props,
  }
  return (
    <button type="button" className={buttonClass(look, className)} {...pressable(rest)}>
      {iconOf(icon)}
      {children}
    </button>
  )
}

export const PrimaryButton = (props: ButtonProps) => <Button look="primary" {...props} />
export const QuietButton = (props: ButtonProps) => <Button look="quiet" {...props} />

/** Sends the form that it is in. */
export const SubmitButton = (props: ButtonProps) => <PrimaryButton type="submit" {...props} />

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name, which is also shown on hover. */
  label: string
  icon: Icon
  /** Of the icon, in pixels. */
  size?: number
}

export function IconButton({ className = '', ...props }: IconButtonProps) {
  const { label, icon, size, ...rest } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-9 shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-sunk hover:text-ink aria-disabled:opacity-50 pointer-coarse:size-11 ${className}`}
      {...pressable(rest)}
    >
      {iconOf(icon, size)}
    </button>
  )
}
