import { X } from 'lucide-preact'
import {
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { useWindowEvent } from '../hooks.ts'
import { createStore, useStore } from '../store.ts'
import { useUnsentGuard } from '../unsent.ts'
import { Button, type ButtonLook, IconButton, type Mutation, QuietButton } from './button.tsx'
import { openDialogs, Toasts } from './toast.tsx'

interface OpenDialog {
  id: number
  dialog: ReactNode
  close(): void
}

const dialogs = createStore<readonly OpenDialog[]>([])
const CloseContext = createContext(() => {})
let lastId = 0

/**
 * Opens a dialog over the screen, in the place of one whose code is still loading.
 *
 * @returns a function that closes it
 */
export function openDialog(dialog: ReactNode, onClose?: () => void): () => void {
  lastId += 1
  const id = lastId
  const close = () => [dialogs.set(dialogs.get().filter((one) => one.id !== id)), onClose?.()]
  const others = openDialogs.get().length === 0 ? [] : dialogs.get()
  dialogs.set([...others, { id, dialog, close }])
  return close
}

/** Closes the dialog that was opened with the component in it. */
export const useClose = () => useContext(CloseContext)

/** Those that are open, until another screen is shown. */
export function Dialogs() {
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each path
  useEffect(() => () => dialogs.set([]), [path])
  return useStore(dialogs).map(({ id, dialog, close }) => (
    <Suspense key={id} fallback={null}>
      <CloseContext value={close}>{dialog}</CloseContext>
    </Suspense>
  ))
}

interface DialogProps {
  title: string
  /** By default, the dialog that was opened is closed. */
  onClose?: (() => void) | undefined
  children: ReactNode
  actions?: ReactNode
  status?: ReactNode
  isWide?: boolean
  /** As wide as the screen allows, for two texts beside each other. */
  isFull?: boolean
  /** On a phone it takes the whole height, whatever it has in it. */
  isTall?: boolean
}

/**
 * Calls `onClose` for Escape while the dialog is the topmost one. Without this the browser closes
 * it by itself where the key is pressed twice, without asking about what is not saved.
 */
function useEscape(dialogId: string, onClose: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Escape closes a popover inside the dialog first.
    if (openDialogs.get().at(-1) !== dialogId || document.querySelector(':popover-open')) return
    event.preventDefault()
    onClose()
  })
}

/** A modal dialog of the browser. Escape, its button and a press beside it close it. */
export function Dialog(props: DialogProps) {
  const close = useClose()
  const { title, onClose = close, children, actions, status, isWide, isFull, isTall } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const element = dialog.current!
    const before = document.activeElement
    element.showModal()
    openDialogs.set([...openDialogs.get(), heading])
    return () => {
      openDialogs.set(openDialogs.get().filter((id) => id !== heading))
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [heading])
  useEscape(heading, onClose)
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        // A dialog or a file field inside it has an event of this name, too.
        if (event.target !== dialog.current) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className={`max-h-dvh w-full rounded-dialog border border-line bg-raised p-0 shadow-float max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none sm:max-h-[min(90dvh,860px)] ${isFull ? 'sm:max-w-[min(80rem,94vw)]' : isWide ? 'sm:max-w-xl' : 'sm:max-w-md'} ${isTall ? 'max-sm:h-dvh max-sm:rounded-none max-sm:border-0' : ''}`}
    >
      <div className={`flex max-h-[inherit] flex-col ${isTall ? 'max-sm:h-full' : ''}`}>
        <header
          className={`flex items-center justify-between gap-4 pt-4 pr-3 pb-2 pl-6 ${isTall ? 'max-sm:pl-4' : ''}`}
        >
          <h2 id={heading} className="font-serif text-21 font-medium">
            {title}
          </h2>
          {status}
          <IconButton label="Close" icon={X} size={18} onClick={onClose} />
        </header>
        <div
          className={`relative scroll-py-2 overflow-y-auto overscroll-contain px-6 pt-1 pb-6 ${isTall ? 'max-sm:flex-1 max-sm:px-4' : ''}`}
        >
          {children}
        </div>
        {actions && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
            {actions}
          </footer>
        )}
        <Toasts inside={heading} />
      </div>
    </dialog>
  )
}

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
