import type { Page } from '../boot.ts'
import { useSettings } from './use-page.ts'

type ClosingTime = 'responses_closed_at' | 'poll_closes_at'

/** The end of something, which can be now or taken back. */
export function useClosing(page: Page, setting: ClosingTime) {
  const { mutate } = useSettings(page)
  const closesAt = page[setting]
  const set = (at: string | null, onSaved?: (saved: Page) => void) =>
    mutate({ [setting]: at }, onSaved && { onSuccess: onSaved })
  return {
    closesAt,
    // A browser’s clock may be behind the server’s, which wrote `updated_at`.
    isClosed:
      closesAt !== null &&
      Date.parse(closesAt) <= Math.max(Date.now(), Date.parse(page.updated_at)),
    reopen: () => set(null),
    /** A browser’s clock may be ahead: then the server’s own time of the write is set. */
    close: () =>
      set(new Date().toISOString(), (saved) => {
        if ((saved[setting] ?? '') > saved.updated_at) set(saved.updated_at)
      }),
  }
}
