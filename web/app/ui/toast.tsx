import { X } from 'lucide-preact'
import type { ReactNode } from 'preact/compat'
import { useKeys } from '../frame/keys.ts'
import { createStore, useStore } from '../store.ts'
import { IconButton, QuietButton } from './button.tsx'

interface Toast extends ToastOptions {
  id: number
  text: string
}

const toasts = createStore<Toast[]>([])
const SHOWN_MS = 5_000
/** How long something that was destroyed can be taken back. */
const UNDO_MS = 10_000
let lastId = 0

interface ToastOptions {
  isError?: boolean
  /** Gives a button to take it back. */
  undo?: () => void
  /** Another button. */
  button?: ReactNode
}

/** Says that something was done, for a few seconds. With a button, for ten. */
export function showToast(text: string, options: ToastOptions = {}) {
  const { isError, undo, button } = options
  lastId += 1
  const id = lastId
  const others = toasts.get().filter((one) => one.undo || one.text !== text)
  toasts.set([...others, { id, text, ...options }].slice(-3))
  setTimeout(() => hide(id), undo ? UNDO_MS : isError || button ? SHOWN_MS * 2 : SHOWN_MS)
}

export function showError(text: string): void {
  showToast(text, { isError: true })
}

function hide(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

function takeBack({ id, undo }: Toast): void {
  undo?.()
  hide(id)
}

/** Those that are open, the topmost last. What lies below it can be neither read nor pressed. */
export const openDialogs = createStore<readonly string[]>([])

/** The messages: `inside` the dialog that is topmost, or where none is open. */
export function Toasts({ inside }: { inside?: string }) {
  const all = useStore(toasts)
  const isTopmost = useStore(openDialogs).at(-1) === inside
  const visible = isTopmost ? all : []
  const last = visible.findLast(({ undo }) => undo)
  useKeys({ z: () => last && takeBack(last) })
  return (
    <div
      role="status"
      aria-live="polite"
      // On a phone a dialog has its fields where they would float.
      className={`pointer-events-none fixed inset-x-0 bottom-20 z-50 grid justify-items-center gap-2 px-4 md:bottom-6 ${inside ? 'max-sm:static max-sm:not-empty:pb-4' : ''}`}
    >
      {visible.map((toast) => (
        <div
          key={toast.id}
          className="pointer-events-auto flex max-w-lg items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 shadow-float"
        >
          <p className={toast.isError ? 'text-danger' : ''}>{toast.text}</p>
          {toast.undo && <QuietButton onClick={() => takeBack(toast)}>Undo</QuietButton>}
          {toast.button}
          <IconButton label="Dismiss" icon={X} onClick={() => hide(toast.id)} />
        </div>
      ))}
    </div>
  )
}
