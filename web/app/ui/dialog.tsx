import { X } from 'lucide-preact'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'preact/compat'
import { useWindowEvent } from '../hooks.ts'
import { IconButton } from './button.tsx'
import { useClose } from './open-dialog.tsx'
import { openDialogs, Toasts } from './toast.tsx'

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
