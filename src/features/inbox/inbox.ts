import type { Account } from '../../model/account.ts'
import { type Moment, type NewestRange, newestIn } from '../../model/newest-first.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Access } from '../access/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Comments } from '../comments/index.ts'
import type { InboxAnswer, InboxItem, InboxQuery } from './contract.ts'
import { cursorOf, momentIn } from './cursor.ts'

export interface Inbox {
  /** What waits for the owner of the account's pages. @throws Refusal `invalid_parameter` */
  read(account: Account, query: InboxQuery): Promise<InboxAnswer>
}

export interface InboxDeps {
  database: Database
  baseUrl: string
  /** The ids of the account's pages. */
  pageIdsOf(accountId: string, db: Db): Promise<string[]>
  /** Those of its pages that take requests or decisions. */
  askingPagesOf(accountId: string, db: Db): Promise<Page[]>
  findPages(ids: readonly string[], db: Db): Promise<Page[]>
  newestThreads: Comments['newestOpen']
  readThreads: Comments['readThreads']
  presentThreads: Comments['presentThreads']
  newestRequests: Access['newestRequests']
  newestDecisions: Approvals['newestDecisions']
}

/** An item of which the page is not read yet, and of a thread the comments neither. */
type Found = Moment & { page_id: string } & (
    | { kind: 'thread' }
    | { kind: 'request'; request: Extract<InboxItem, { kind: 'request' }>['request'] }
    | { kind: 'decision'; decision: Extract<InboxItem, { kind: 'decision' }>['decision'] }
  )

/** Puts together what the features of conversations have for the owner. */
export function createInbox(deps: InboxDeps): Inbox {
  const { database, baseUrl } = deps

  async function findNewest(db: Db, accountId: string, range: NewestRange) {
    const pageIds = await deps.pageIdsOf(accountId, db)
    const pages = await deps.askingPagesOf(accountId, db)
    const threads = await deps.newestThreads(db, pageIds, range)
    const requests = await deps.newestRequests(db, { accountId, pages }, range)
    const decisions = await deps.newestDecisions(db, pages, range)
    const found: Found[] = [
      ...threads.items.map((thread) => ({ kind: 'thread' as const, ...thread })),
      ...requests.items.map(requestFound),
      ...decisions.items.map(decisionFound),
    ]
    const counts = {
      threads: threads.count,
      requests: requests.count,
      decisions: decisions.count,
    }
    return { found: newestIn(found, range), counts }
  }

  /** Everything of an answer, as it is at one time. */
  function readAll(accountId: string, { limit, before }: NewestRange) {
    return database.snapshot(async (db) => {
      const { found, counts } = await findNewest(db, accountId, { before, limit: limit + 1 })
      const listed = found.slice(0, limit)
      const threads = await deps.readThreads(db, idsOfThreads(listed))
      const pages = await deps.findPages([...new Set(listed.map((each) => each.page_id))], db)
      return { found, listed, counts, threads, pages }
    })
  }

  return {
    async read({ id: accountId }, { limit, cursor }) {
      const before = cursor === undefined ? null : momentIn(cursor)
      const { found, listed, counts, ...read } = await readAll(accountId, { limit, before })
      const threads = await deps.presentThreads(read.pages, read.threads)
      const pages = new Map(read.pages.map((page) => [page.id, page]))
      // Threads beyond what an answer holds were not read.
      const cut = listed.findIndex(({ kind, id }) => kind === 'thread' && !threads.has(id))
      const shown = cut < 0 ? listed : listed.slice(0, cut)
      const items = shown.map(({ page_id: pageId, ...item }): InboxItem => {
        const shared = { ...item, page: shownPage(pages.get(pageId)!) }
        return shared.kind === 'thread' ? { ...shared, thread: threads.get(item.id)! } : shared
      })
      const hasMore = shown.length < found.length
      return { items, counts, next_cursor: hasMore ? cursorOf(shown.at(-1)!) : null }
    },
  }

  function shownPage({ id, title, slug, settings }: Page): InboxItem['page'] {
    const { allow_comments } = settings
    return { id, title, slug, url: `${baseUrl}/p/${slug}`, allow_comments }
  }
}

function idsOfThreads(found: readonly Found[]): string[] {
  return found.flatMap(({ kind, id }) => (kind === 'thread' ? [id] : []))
}

function requestFound({
  page_id,
  ...request
}: Awaited<ReturnType<Access['newestRequests']>>['items'][number]): Found {
  const { id, created_at: at, email } = request
  const shown = { ...request, email: displayEmail(email) }
  return { kind: 'request', id, at, page_id, request: shown }
}

function decisionFound({
  id,
  page_id,
  ...decision
}: Awaited<ReturnType<Approvals['newestDecisions']>>['items'][number]): Found {
  return { kind: 'decision', id, at: decision.decided_at, page_id, decision }
}
