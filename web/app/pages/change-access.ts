import type { QueryClient } from '@tanstack/preact-query'
import type { Input } from '../../../src/client/index.ts'
import { count } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import type { Page } from '../boot.ts'
import { ACCESS_PHRASES } from '../page/words.ts'
import { showToast } from '../ui/toast.tsx'
import { forEach, type Named } from './for-each.ts'

/** Who may open several pages. A page's password is its own, and so is set on its screen. */
export type SharedAccess = Exclude<Page['access'], 'password'>

/**
 * Sets who may open pages, which can be undone exactly.
 *
 * @param invited addresses that are added to those who are invited already, for `people`
 */
export async function changeAccess(
  client: QueryClient,
  pages: readonly Named[],
  { access, invited }: { access: SharedAccess; invited: readonly string[] },
): Promise<void> {
  const before = new Map<string, Input<'updatePage'>>()
  const changed = await forEach(client, pages, async ({ id }) => {
    const { data: page } = await api.getPage({ id })
    const { access: was, allowed_emails: emails, password } = page
    before.set(id, { id, access: was, allowed_emails: emails, ...(password && { password }) })
    const added = access === 'people' && { allowed_emails: [...new Set([...emails, ...invited])] }
    await api.updatePage({ id, access, ...added })
  })
  if (changed.length === 0) return
  const what = changed.length === 1 ? 'Page' : count(changed.length, 'page')
  const phrase = ACCESS_PHRASES[access]
  showToast(`${what}: ${phrase.charAt(0).toLowerCase()}${phrase.slice(1)}`, {
    undo: () => void forEach(client, changed, ({ id }) => api.updatePage(before.get(id)!)),
  })
}
