import type { ListedPage, Page } from '../boot.ts'
import { count } from '../ui/text.ts'

type AnyPage = Page | ListedPage

/** Who may open a page, as it stands to be chosen. */
export const ACCESS_PHRASES = {
  link: 'Anyone with the link',
  people: 'Only people you invite',
  private: 'Only you',
  password: 'Anyone with the password',
  email_gate: 'Anyone who confirms an email',
} as const satisfies Record<Page['access'], string>

/** The same in two words. */
export function accessInShort(page: AnyPage): string {
  if (page.access === 'people') return count(page.allowed_emails.length, 'person', 'people')
  return { link: 'Link', private: 'Only you', password: 'Password', email_gate: 'Email' }[
    page.access
  ]
}

export type PageState = 'live' | 'draft' | 'changes' | 'expired' | 'view_limit'

export function stateOf(page: AnyPage, now = Date.now()): PageState {
  if (!page.is_published) return 'draft'
  if (page.expires_at !== null && Date.parse(page.expires_at) <= now) return 'expired'
  if (page.max_views !== null && page.views >= page.max_views) return 'view_limit'
  return page.has_unpublished_changes ? 'changes' : 'live'
}

export const STATE_WORDS: Record<PageState, string> = {
  live: 'Live',
  draft: 'Draft',
  changes: 'Changes waiting',
  expired: 'Closed: expired',
  view_limit: 'Closed: view limit',
}

export function kindOf(page: AnyPage): 'page' | 'deck' | 'pdf' | 'image' {
  if (page.file !== null) return page.file.mime === 'application/pdf' ? 'pdf' : 'image'
  return page.kind === 'bundle' ? 'deck' : 'page'
}

/** What to call a page that may have no title. */
export function nameOf({ title, slug }: { title: string | null; slug: string }): string {
  return title ?? slug
}

/** The link as people read it, without the scheme. */
export function shownLink(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
