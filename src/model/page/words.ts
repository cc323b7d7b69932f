import { count } from '../numbers.ts'
import type { Access } from './setting-fields.ts'
import type { ShownState } from './shown-state.ts'

/** Who may open a page, as the label of a choice. */
export const ACCESS_PHRASES = {
  link: 'Anyone with the link',
  people: 'Only people you invite',
  private: 'Only you',
  password: 'Anyone with the password',
  email_gate: 'Anyone who confirms an email',
} as const satisfies Record<Access, string>

/** The same in two words. */
export function accessInShort(page: { access: Access; allowed_emails: readonly string[] }): string {
  if (page.access === 'people') return count(page.allowed_emails.length, 'person', 'people')
  return { link: 'Link', private: 'Only you', password: 'Password', email_gate: 'Email' }[
    page.access
  ]
}

export const STATE_WORDS: Record<ShownState, string> = {
  live: 'Live',
  draft: 'Draft',
  changes: 'Changes waiting',
  expired: 'Closed: expired',
  view_limit: 'Closed: view limit',
  taken_down: 'Taken down',
}
