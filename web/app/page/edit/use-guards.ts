import { useEffect } from 'react'
import type { Page } from '../../boot.ts'
import type { EditSession } from './session.ts'

/** How long after the last key what was typed is kept in the browser. */
const KEEP_MS = 300

/** Keeps what is typed, warns before the tab closes, and follows changes made elsewhere. */
export function useGuards(page: Page, session: EditSession): void {
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
    function warn(event: BeforeUnloadEvent): void {
      if (session.isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    addEventListener('pagehide', keepNow)
    return () => {
      stop()
      keepNow()
      removeEventListener('beforeunload', warn)
      removeEventListener('pagehide', keepNow)
    }
  }, [session])
  useEffect(() => {
    void session.checkForChanges(page)
  }, [session, page])
}
