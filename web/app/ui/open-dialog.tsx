import { createContext, type ReactNode, Suspense, useContext, useEffect } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { createStore, useStore } from '../store.ts'
import { openDialogs } from './toast.tsx'

interface OpenDialog {
  id: number
  dialog: ReactNode
  close(): void
}

const dialogs = createStore<readonly OpenDialog[]>([])
const CloseContext = createContext(() => {})
let lastId = 0

/** Opens a dialog over the screen, in the place of one whose code is still loading. */
export function openDialog(dialog: ReactNode, onClose?: () => void): void {
  lastId += 1
  const id = lastId
  const close = () => [dialogs.set(dialogs.get().filter((one) => one.id !== id)), onClose?.()]
  const others = openDialogs.get().length === 0 ? [] : dialogs.get()
  dialogs.set([...others, { id, dialog, close }])
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
