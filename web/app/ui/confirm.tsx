import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'preact/compat'
import { useUnsentGuard } from '../unsent.ts'
import { Button, type ButtonLook, type Mutation, QuietButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { openDialog, useClose } from './open-dialog.tsx'

interface ConfirmProps {
  title: string
  action: string
  /** What cannot be taken back. */
  warning?: string | undefined
  /** On the button that leaves all as it is. */
  keep?: string
  /** Left out until it is known what there is to confirm. */
  onConfirm?: (() => void) | undefined
  children?: ReactNode
}

/** Asks once before what cannot be taken back, in the words of `deletion` where it deletes. */
export function Confirm({ keep = 'Keep', onConfirm, ...props }: ConfirmProps) {
  const { title, action, warning, children } = props
  const close = useClose()
  const confirm = () => [onConfirm?.(), close()]
  const buttons = (
    <>
      <Button onClick={close}>{keep}</Button>
      <Button look="danger" disabled={!onConfirm} onClick={confirm}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} actions={buttons}>
      <div className="grid grid-cols-1 gap-2">
        {children}
        {warning && <p>{warning}</p>}
      </div>
    </Dialog>
  )
}

interface ConfirmButtonProps extends ConfirmProps {
  /** On the button that asks. */
  label: string
  /** Its accessible name, where the label is not enough. */
  name?: string
  className?: string
  isDisabled?: boolean
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, name, className, isDisabled, ...question } = props
  return (
    <Button
      className={className}
      disabled={isDisabled}
      aria-label={name}
      onClick={() => openDialog(<Confirm {...question} />)}
    >
      {label}
    </Button>
  )
}

interface FormDialogProps {
  title: string
  action: ReactNode
  look?: ButtonLook
  /** On the button that leaves; left out where the dialog's cross is enough. */
  cancel?: string | undefined
  mutation?: Mutation
  isSending?: boolean
  /** The name of the field whose text would be lost; null where there is none. */
  unsent?: string | null
  onSubmit?(): void
  onClose?(): void
  children: ReactNode
}

/** A form in a dialog, which asks before it loses what only its button sends. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, look = 'primary', cancel, mutation, children } = props
  const { isSending = mutation?.isPending, onSubmit = mutation?.mutate } = props
  const close = useClose()
  const { unsent = null, onClose = close } = props
  /** Set while it asks whether to lose what is not sent. */
  const [leave, setLeave] = useState<(() => void) | null>(null)
  const isGivenUp = useRef(false)
  const isLost = () => unsent !== null && !isGivenUp.current
  const ask = (go: () => void) => (isLost() ? setLeave(() => go) : go())
  useUnsentGuard({ isLostOnUnload: isLost, isLostOnNavigation: isLost, ask })
  const form = useId()
  // Where there is a field, it comes before the dialog's cross, which the browser would choose.
  useLayoutEffect(() => {
    const fields = `[id="${form}"] :is(input:not([type=file]), textarea, select)`
    document.querySelector<HTMLElement>(fields)?.focus()
  }, [form])
  const question = leave !== null && unsent !== null && (
    <LeaveNotice
      text={`Not sent: ${unsent}.`}
      action="Leave without sending"
      onStay={() => setLeave(null)}
      onLeave={() => {
        isGivenUp.current = true
        leave()
      }}
    />
  )
  const buttons = (
    <>
      {cancel && <Button onClick={onClose}>{cancel}</Button>}
      <Button type="submit" form={form} look={look} disabled={isSending}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={() => ask(onClose)} actions={question || buttons}>
      <Form id={form} className="grid gap-4" onSubmit={() => onSubmit?.()}>
        {children}
      </Form>
    </Dialog>
  )
}

interface FormProps {
  id?: string
  className?: string
  onSubmit(): void
  children: ReactNode
}

/** A form that the script sends. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return <form {...rest} onSubmit={(event) => [event.preventDefault(), onSubmit()]} />
}

interface LeaveNoticeProps {
  text: string
  action: string
  onStay(): void
  onLeave(): void
}

/** Says what leaving would lose, at the end of a dialog. */
export function LeaveNotice({ text, action, onStay, onLeave }: LeaveNoticeProps) {
  return (
    <>
      <p role="status" className="mr-auto self-center">
        {text}
      </p>
      <div className="flex shrink-0 gap-2">
        <QuietButton onClick={onLeave}>{action}</QuietButton>
        <Button onClick={onStay}>Stay</Button>
      </div>
    </>
  )
}
