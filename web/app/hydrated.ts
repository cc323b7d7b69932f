import { useSyncExternalStore } from 'react'
import { useBoot } from './account.ts'

/**
 * False on the server and for the first render in the browser, which have to be equal; true from
 * then on. Shown only then is what the server cannot know: the reader's language, time zone, keys.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

/** The time in milliseconds; that of the document for as long as it is shown as it came. */
export function useNow(): number {
  const { at } = useBoot()
  return useIsHydrated() ? Date.now() : Date.parse(at)
}
