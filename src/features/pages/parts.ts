import type { Page } from '../../model/page/index.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { sameText } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import type { Agreements } from '../agreements/index.ts'
import type { Content, ImportContent } from '../content/index.ts'
import type { DraftListener, Versions } from '../versions/index.ts'
import type { Views } from '../views/index.ts'
import type { IsMarkable } from '../watermarks/index.ts'
import * as records from './records/store.ts'
import { slugTaken } from './store.ts'

/** What the operations on pages are made of. */
export interface PageDeps extends Pick<Services, 'database' | 'clock' | 'secrets' | 'baseUrl'> {
  /** What an import stores must fit into it. */
  space: ContentSpace
  content: Content
  importContent: ImportContent
  versions: Versions
  views: Views
  agreements: Agreements
  isMarkable: IsMarkable
  origins: boolean
  listeners: PageListeners
}

/** Those who are notified, in the transaction of the write. */
interface PageListeners {
  /** At every change of a page. */
  change: PageListener[]
  /** At every write of a draft, and when the comments that it resolves are recorded. */
  draft: DraftListener[]
}

/**
 * Runs in the transaction of a change: it awaits only the database, and its failure rolls back
 * both.
 */
type PageListener = (tx: Tx, before: Page, after: Page) => Promise<void>

/** Passwords of pages are sealed and not hashed, since their owners can read them. */
export function sealPassword({ secrets }: PageDeps, pageId: string, text: string): string {
  return secrets.seal('page-password', pageId, text)
}

/**
 * The password, also where the access does not ask for it now. Null where there is none, or the
 * key of the server is another one than when it was set: its owner can set a new one.
 */
export function passwordOf({ secrets }: PageDeps, { id, password_sealed }: Page): string | null {
  return password_sealed && secrets.openOrNull('page-password', id, password_sealed)
}

/**
 * Whether the text is the page's password, compared in constant time. Spaces at the ends and the
 * Unicode form do not count: both change when a password is copied.
 */
export function isPassword(deps: PageDeps, page: Page, text: string): boolean {
  const password = passwordOf(deps, page)
  if (password === null) return false
  const [input, own] = [canonical(text), canonical(password)]
  // A password may be only spaces: then all of them count.
  return own === '' ? sameText(text, password) : sameText(input, own)
}

function canonical(password: string): string {
  return password.normalize('NFC').trim()
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

interface SlugOf {
  slug: string
  account_id: string
}

/**
 * Keeps a slug that an account gave up, by a change of the slug or a deletion. For a year no other
 * account gets it: links to the former page are in mails and bookmarks. Call it in the transaction
 * that frees the slug; of a deleted account without its id.
 */
export async function keepSlug(
  tx: Tx,
  { clock }: PageDeps,
  of: { slug: string; account_id: string | null },
): Promise<void> {
  await records.deleteFreed(tx, [clock.after(-YEAR_MS)])
  await records.putFreed(tx, { ...of, freed_at: clock.now() })
}

/** Whether another account gave the slug up within a year. */
export async function isSlugKept(db: Db, { clock }: PageDeps, of: SlugOf): Promise<boolean> {
  const row = await records.findFreed(db, [of.slug, clock.after(-YEAR_MS)])
  return row !== undefined && row.account_id !== of.account_id
}

/**
 * Call it after the write that takes the slug: on PostgreSQL that write waits for a transaction
 * that frees the slug, and only what is read later sees what it has written.
 *
 * @throws Refusal `slug_taken`
 */
export async function assertSlugFree(tx: Tx, deps: PageDeps, of: SlugOf): Promise<void> {
  if (await isSlugKept(tx, deps, of)) throw slugTaken()
}
