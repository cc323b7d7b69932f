import type { ShownState } from '../../../src/model/page/words.ts'
import type { ListedPage, Page } from '../boot.ts'

export { ACCESS_PHRASES, accessInShort, STATE_WORDS } from '../../../src/model/page/words.ts'

type AnyPage = Page | ListedPage
export type PageState = ShownState

/** As the server decides it, for a page that may have changed here since it was read. */
export function stateOf(page: AnyPage, now = Date.now()): PageState {
  if (!page.is_published) return 'draft'
  if (page.taken_down_at !== null) return 'taken_down'
  if (page.expires_at !== null && Date.parse(page.expires_at) <= now) return 'expired'
  if (page.max_views !== null && page.views >= page.max_views) return 'view_limit'
  return page.has_unpublished_changes ? 'changes' : 'live'
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
