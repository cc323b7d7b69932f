import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
  /** Buttons at its end. */
  actions?: ReactNode
  isWide?: boolean
  /** As wide as the screen allows, for two texts beside each other. */
  isFull?: boolean
}

/** A modal dialog of the browser. Escape, its button and a press beside it close it. */
export function Dialog({ title, onClose, children, actions, isWide, isFull }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const opened = dialog.current!
    const before = document.activeElement
    opened.showModal()
    return () => {
      opened.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className={`max-h-dvh w-full rounded-dialog border border-line bg-raised p-0 shadow-float max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none sm:max-h-[min(90dvh,860px)] ${isFull ? 'sm:max-w-[min(80rem,94vw)]' : isWide ? 'sm:max-w-xl' : 'sm:max-w-md'}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className="flex items-center justify-between gap-4 pt-4 pr-3 pb-2 pl-6">
          <h2 id={heading} className="font-serif text-21 font-medium">
            {title}
          </h2>
          <IconButton label="Close" onClick={onClose}>
            <X size={18} />
          </IconButton>
        </header>
        <div className="overflow-y-auto px-6 pb-6">{children}</div>
        {actions && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
            {actions}
          </footer>
        )}
      </div>
    </dialog>
  )
}
