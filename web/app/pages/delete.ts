import type { QueryClient } from '@tanstack/preact-query'
import { createSessionClient } from '../../../src/client/index.ts'
import { count } from '../../../src/model/numbers.ts'
import { api, messageOf, ORIGIN } from '../api.ts'
import { createStore } from '../store.ts'
import { showError, showToast, UNDO_MS } from '../ui/toast.tsx'

/** The pages that are hidden and will be deleted when the time to undo has passed. */
export const leaving = createStore<ReadonlySet<string>>(new Set())

/** Its requests are sent although the window closes meanwhile. */
const lastingApi = createSessionClient({
  baseUrl: ORIGIN,
  source: 'editor',
  fetch: ((input: string, init: RequestInit) =>
    fetch(input, { ...init, keepalive: true })) as typeof fetch,
})

/** Deletes pages after ten seconds, or at once where the window is closed before. */
export function deleteWithUndo(client: QueryClient, pages: readonly { id: string }[]): void {
  const ids = pages.map(({ id }) => id)
  leaving.set(new Set([...leaving.get(), ...ids]))
  const removeNow = () => void remove(lastingApi)
  const timer = setTimeout(() => void remove(api), UNDO_MS)
  addEventListener('pagehide', removeNow, { once: true })

  function settle(): void {
    clearTimeout(timer)
    removeEventListener('pagehide', removeNow)
  }
  async function remove(by: typeof api): Promise<void> {
    settle()
    const results = await Promise.allSettled(ids.map((id) => by.deletePage({ id })))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) showError(messageOf(failed.reason))
    await client.invalidateQueries({ queryKey: ['pages'] })
    show(ids)
  }
  const what = ids.length === 1 ? 'Page deleted' : `${count(ids.length, 'page')} deleted`
  showToast(what, {
    undo() {
      settle()
      show(ids)
    },
  })
}

function show(ids: readonly string[]): void {
  leaving.set(new Set([...leaving.get()].filter((id) => !ids.includes(id))))
}
