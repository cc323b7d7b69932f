import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { parseTimestamp } from '../../model/timestamp.ts'
import {
  type InboxPages,
  type InboxRow,
  type InboxRows,
  type Moment,
  type NewestRange,
  newestIn,
} from '../../platform/db/inbox-rows.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { isId } from '../../platform/ids.ts'
import type { Access } from '../access/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Comments } from '../comments/index.ts'
import type { InboxAnswer, InboxItem, InboxPagesQuery, InboxQuery } from './contract.ts'

interface InboxDeps {
  database: Database
  baseUrl: string
  findPages(ids: readonly string[], db?: Db): Promise<Page[]>
  comments: Pick<Comments, 'openThreads' | 'readThreads' | 'presentThreads'>
  access: Pick<Access, 'newestRequests' | 'readRequests'>
  approvals: Pick<Approvals, 'newestDecisions' | 'readDecisions'>
}

type Kind = InboxItem['kind']

/** An item of which only the place in the list has been read. */
type Found = InboxRow & { kind: Kind }

type Asked = InboxPages & Pick<InboxQuery, 'kind'>

/** Merges the open items of all conversation features into one list for the owner. */
export type Inbox = ReturnType<typeof createInbox>

export function createInbox({ database, baseUrl, findPages, ...deps }: InboxDeps) {
  const { comments, access, approvals } = deps
  const rows: Record<Kind, InboxRows> = {
    thread: comments.openThreads,
    request: access.newestRequests,
    decision: approvals.newestDecisions,
  }
  const kinds = Object.keys(rows) as Kind[]

  async function findNewest(db: Db, { kind, ...pages }: Asked, range: NewestRange) {
    const found: Found[] = []
    for (const each of kind === undefined ? kinds : [kind]) {
      const newest = await rows[each].newest(db, pages, range)
      found.push(...newest.map((row) => ({ ...row, kind: each })))
    }
    return newestIn(found, range)
  }

  async function count(db: Db, pages: InboxPages): Promise<InboxAnswer['counts']> {
    return {
      threads: await rows.thread.count(db, pages),
      requests: await rows.request.count(db, pages),
      decisions: await rows.decision.count(db, pages),
    }
  }

  async function assertOwn(db: Db, { accountId, pageId }: InboxPages): Promise<void> {
    if (pageId === null) return
    const [page] = await findPages([pageId], db)
    if (page?.account_id !== accountId) throw noSuchPage(pageId)
  }

  /** All data of an answer, read from one snapshot. */
  function readAll(asked: Asked, { limit, before }: NewestRange) {
    return database.snapshot(async (db) => {
      await assertOwn(db, asked)
      const found = await findNewest(db, asked, { before, limit: limit + 1 })
      const listed = found.slice(0, limit)
      const ids = (kind: Kind) => listed.flatMap((each) => (each.kind === kind ? [each.id] : []))
      const ofPages = await findPages([...new Set(listed.map((each) => each.page_id))], db)
      const pages = new Map(ofPages.map((page) => [page.id, page]))
      return {
        listed,
        pages,
        hasOlder: found.length > limit,
        counts: await count(db, asked),
        threads: await comments.readThreads(db, ids('thread')),
        requests: await access.readRequests(db, ids('request')),
        decisions: await approvals.readDecisions(db, pages, ids('decision')),
      }
    })
  }

  function shownPage({ id, title, slug, settings }: Page): InboxItem['page'] {
    const { allow_comments } = settings
    return { id, title, slug, url: `${baseUrl}/p/${slug}`, allow_comments }
  }

  return {
    /** The open items of the account's pages. @throws Refusal `invalid_parameter` */
    async read(
      { id: accountId }: Account,
      { limit, cursor, kind, page_id }: InboxQuery,
    ): Promise<InboxAnswer> {
      const before = cursor === undefined ? null : momentIn(cursor)
      const read = await readAll({ accountId, kind, pageId: page_id ?? null }, { limit, before })
      const { listed, pages, counts, requests, decisions } = read
      const threads = await comments.presentThreads([...pages.values()], read.threads)
      // Threads beyond what an answer holds were not read.
      const cut = listed.findIndex(({ kind, id }) => kind === 'thread' && !threads.has(id))
      const shown = cut < 0 ? listed : listed.slice(0, cut)
      const items = shown.map(({ kind, id, at, page_id: of }): InboxItem => {
        const shared = { id, at, page: shownPage(pages.get(of)!) }
        if (kind === 'thread') return { kind, ...shared, thread: threads.get(id)! }
        if (kind === 'decision') return { kind, ...shared, decision: decisions.get(id)! }
        const request = requests.get(id)!
        const email = displayEmail(request.email)
        return { kind, ...shared, request: { ...request, email } }
      })
      const hasMore = read.hasOlder || cut >= 0
      return { items, counts, next_cursor: hasMore ? cursorOf(shown.at(-1)!) : null }
    },
    /** The pages that have items, those with the most first. */
    listPages: ({ id: accountId }: Account, { limit, offset }: InboxPagesQuery) =>
      database.snapshot(async (db) => {
        const items = new Map<string, number>()
        for (const kind of kinds) {
          for (const [id, more] of await rows[kind].countByPage(db, accountId)) {
            items.set(id, (items.get(id) ?? 0) + more)
          }
        }
        const ordered = [...items].toSorted(mostFirst).map(([id]) => id)
        const pages = await findPages(ordered.slice(offset, offset + limit), db)
        return {
          data: pages.map((page) => ({ ...shownPage(page), items: items.get(page.id)! })),
          next_offset: ordered.length > offset + limit ? offset + limit : null,
        }
      }),
  }
}

/** Pages with equal counts are ordered by id. */
function mostFirst([a, ofA]: [string, number], [b, ofB]: [string, number]): number {
  return ofB - ofA || (a < b ? -1 : 1)
}

function noSuchPage(id: string) {
  const message = `You have no page with the id ${id}: leave page_id out for all pages.`
  return refuse.invalid('invalid_parameter', message, { param: 'page_id' })
}

const PREFIXES = ['cmt', 'ar', 'dec']

/** The cursor after an item. It names the item, so it stays valid while other items come and go. */
function cursorOf({ at, id }: Moment): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** The item that a cursor names. @throws Refusal `invalid_parameter` */
function momentIn(cursor: string): Moment {
  const [at = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const isMoment = parseTimestamp(at) === at && PREFIXES.some((prefix) => isId(prefix, id))
  if (isMoment && rest.length === 0) return { at, id }
  const message = 'This is no cursor: pass the `next_cursor` of an answer, or none.'
  throw refuse.invalid('invalid_parameter', message, { param: 'cursor' })
}
