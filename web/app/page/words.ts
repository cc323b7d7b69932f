import { type ShownState, shownStateOf } from '../../../src/model/page/facts.ts'
import type { ListedPage, Page } from '../api.ts'

export { ACCESS_PHRASES, accessInShort, STATE_WORDS } from '../../../src/model/page/facts.ts'

type AnyPage = Page | ListedPage

/** Who opens a page with that access, within a sentence. */
export const AUDIENCES: Record<Page['access'], string> = {
  link: 'anyone with the link',
  people: 'invited people alone',
  private: 'you alone',
  password: 'anyone with the password',
  email_gate: 'anyone who confirms an email',
}

/** By the rule of the server, for a page that may have been changed here since it was read. */
export function stateOf(page: AnyPage, now: number): ShownState {
  return shownStateOf(page, new Date(now).toISOString())
}

export function kindOf(page: AnyPage): 'page' | 'deck' | 'pdf' | 'image' {
  if (page.file !== null) return page.file.mime === 'application/pdf' ? 'pdf' : 'image'
  return page.kind === 'bundle' ? 'deck' : 'page'
}

export function nameOf({ title, slug }: { title: string | null; slug: string }): string {
  return title ?? slug
}

/** What people need to open the page: its link, and the password once it has one. */
export function copiesOf({ url, access, password }: Pick<Page, 'url' | 'access' | 'password'>) {
  if (access !== 'password' || password == null) return { label: 'Copy link', text: url }
  return { label: 'Copy link and password', text: `${url}\nPassword: ${password}` }
}

/** The link as people read it, without the scheme. */
export function shownLink(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

export function isLive({ is_published: isPublished, has_unpublished_changes: differs }: Page) {
  return isPublished && !differs
}

/** Of a draft without unsaved changes. */
export function publicationOf(page: Page): string {
  if (isLive(page)) return 'Saved and published'
  return page.is_published ? 'Saved, not published yet' : 'Saved, not published'
}
