import { useEffect } from 'react'
import type { Page } from '../../boot.ts'
import { useUnsentGuard } from '../../unsent.ts'
import type { EditSession } from './session.ts'

/** How long after the last key the text is stored in the browser. */
const KEEP_MS = 300

/** Stores what is typed, warns before the tab closes, and follows changes made elsewhere. */
export function useGuards(page: Page, session: EditSession): void {
  // The browser keeps the draft for the next visit; this is for browsers without space.
  useUnsentGuard({ isLostOnUnload: () => session.isDirty() })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function keepNow(): void {
      clearTimeout(timer)
      timer = undefined
      session.keep()
    }
    const stop = session.subscribe(() => {
      timer ??= setTimeout(keepNow, KEEP_MS)
    })
    addEventListener('pagehide', keepNow)
    return () => {
      stop()
      keepNow()
      removeEventListener('pagehide', keepNow)
    }
  }, [session])
  useEffect(() => {
    void session.checkForChanges(page)
  }, [session, page])
}
