import { type ReactNode, Suspense, useEffect } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { createStore, useStore } from '../store.ts'
import { openDialogs } from './toast.tsx'

type Show = (onClose: () => void) => ReactNode

const dialogs = createStore<readonly { id: number; show: Show }[]>([])
let lastId = 0

/**
 * Opens a dialog over the screen, in the place of one whose code is still loading.
 * @param show renders it, with the function that closes it
 */
export function openDialog(show: Show): void {
  lastId += 1
  const others = openDialogs.get().length === 0 ? [] : dialogs.get()
  dialogs.set([...others, { id: lastId, show }])
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
