import { type ReactNode, Suspense, useEffect } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { createStore, useStore } from '../store.ts'

interface OpenDialog {
  id: number
  show(onClose: () => void): ReactNode
}

const dialogs = createStore<readonly OpenDialog[]>([])
let lastId = 0

/** Opens a dialog over the screen. @param show renders it, with the function that closes it */
export function openDialog(show: OpenDialog['show']): void {
  lastId += 1
  dialogs.set([...dialogs.get(), { id: lastId, show }])
}

/** Those that are open, until another screen is shown. */
export function Dialogs() {
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each path
  useEffect(() => () => dialogs.set([]), [path])
  return useStore(dialogs).map(({ id, show }) => (
    <Suspense key={id} fallback={null}>
      {show(() => dialogs.set(dialogs.get().filter((dialog) => dialog.id !== id)))}
    </Suspense>
  ))
}
