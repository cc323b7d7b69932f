import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { Access } from '../access/index.ts'
import type { Agreements } from '../agreements/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Comments } from '../comments/index.ts'
import { sequence } from '../events/index.ts'
import type { Links } from '../links/index.ts'
import type { Responses } from '../responses/index.ts'
import {
  getInbox,
  type InboxAnswer,
  type InboxItem,
  type InboxPagesQuery,
  type InboxQuery,
  listInboxPages,
  type Marked,
  type MarkInput,
  markInbox,
} from './contract.ts'

interface InboxDeps extends Pick<Services, 'database' | 'baseUrl'> {
  findPages(ids: readonly string[], db?: Db): Promise<Page[]>
  comments: Pick<Comments, 'readThreads' | 'presentThreads'>
  access: Pick<Access, 'readRequests'>
  approvals: Pick<Approvals, 'readDecisions'>
  responses: Pick<Responses, 'readShort'>
  agreements: Pick<Agreements, 'readAcceptances'>
  links: Pick<Links, 'labelsOf'>
}

type Kind = InboxItem['kind']
/** The events of each kind of item. */
const TYPES: Record<Kind, readonly string[]> = {
  thread: ['comment', 'reply'],
  request: ['access_request'],
  decision: ['approval'],
  response: ['response'],
  agreement: ['agreement'],
  opening: ['opened'],
}
const KINDS = Object.keys(TYPES) as Kind[]
/** They are listed only where they are asked for: nothing of them waits or is done. */
const TOLD: readonly Kind[] = ['agreement', 'opening']
const WAITING = KINDS.filter((kind) => !TOLD.includes(kind)).flatMap((kind) => TYPES[kind])
const PLACES = { open: ['open'], unread: ['open'], done: ['done', 'closed'] } as const
const TOLD_PLACES = { open: ['told'], unread: [], done: [] } as const
const ALL_PLACES = [...PLACES.open, ...PLACES.done, ...TOLD_PLACES.open]

/** An item of which only the event has been read. */
type Found = sequence.PlacedEvent & { kind: Kind }

/** Lists what viewers did, by the sequence of their events, for the owner of the pages. */
export type Inbox = ReturnType<typeof createInbox>

export function createInbox({ database, baseUrl, findPages, ...deps }: InboxDeps) {
  const { comments, access, approvals, responses, agreements, links } = deps

  async function assertOwn(db: Db, { accountId, pageId }: sequence.InboxPages): Promise<void> {
    if (pageId === null) return
    const [page] = await findPages([pageId], db)
    if (page?.account_id !== accountId) throw noSuchPage(pageId)
  }

  /** All data of an answer, read from one snapshot. */
  function readAll(account: Account, query: InboxQuery) {
    const { limit, cursor, kind, page_id, state, item = null } = query
    const of = { accountId: account.id, pageId: page_id ?? null }
    const types = kind === undefined ? null : TYPES[kind]
    const before = cursor === undefined ? null : numberIn(cursor)
    const isUnread = state === 'unread' && item === null
    const range = { ...of, types, item, isUnread, before, limit: limit + 1 }
    return database.snapshot(async (db) => {
      await assertOwn(db, of)
      const found: Found[] = []
      const places = kind !== undefined && TOLD.includes(kind) ? TOLD_PLACES : PLACES
      for (const place of item === null ? places[state] : ALL_PLACES) {
        const events = await sequence.listInInbox(db, { ...range, place })
        found.push(...events.map((event) => ({ ...event, kind: kindOf(event) })))
      }
      const listed = found.sort((a, b) => b.number - a.number).slice(0, limit)
      const ids = (kind: Kind) =>
        listed.flatMap((each) => (each.kind === kind ? [each.item_id] : []))
      const ofPages = await findPages([...new Set(listed.map((each) => each.page_id))], db)
      const pages = new Map(ofPages.map((page) => [page.id, page]))
      return {
        listed,
        pages,
        hasOlder: found.length > limit,
        totals: await countAll(db, of),
        threads: await comments.readThreads(db, ids('thread')),
        requests: await access.readRequests(db, ids('request')),
        decisions: await approvals.readDecisions(db, pages, ids('decision')),
        responses: await responses.readShort(db, ids('response')),
        agreements: await agreements.readAcceptances(db, ids('agreement')),
        links: await links.labelsOf(db, ids('opening')),
      }
    })
  }

  function shownPage({ id, title, slug, settings }: Page): InboxItem['page'] {
    const { allow_comments } = settings
    return { id, title, slug, url: `${baseUrl}/p/${slug}`, allow_comments }
  }

  return {
    /** What waits on the account's pages, or was done. @throws Refusal `invalid_parameter` */
    async read(account: Account, query: InboxQuery): Promise<InboxAnswer> {
      const { listed, pages, hasOlder, totals, ...read } = await readAll(account, query)
      const threads = await comments.presentThreads([...pages.values()], read.threads)
      // Threads beyond what an answer holds were not read.
      const cut = listed.findIndex(({ kind, item_id: id }) => kind === 'thread' && !threads.has(id))
      const shown = cut < 0 ? listed : listed.slice(0, cut)
      const items = shown.flatMap(({ kind, at, page_id: of, ...event }): InboxItem | [] => {
        const id = event.item_id
        const isTold = event.place === 'told'
        const isRead = isTold || event.is_read === 1
        const marks = { is_read: isRead, is_done: !isTold && event.place !== 'open' }
        const shared = { id, at, ...marks, page: shownPage(pages.get(of)!) }
        if (kind === 'thread') return { kind, ...shared, thread: threads.get(id)! }
        if (kind === 'decision') return { kind, ...shared, decision: read.decisions.get(id)! }
        if (kind === 'response') return { kind, ...shared, response: read.responses.get(id)! }
        if (kind === 'agreement') {
          const agreement = read.agreements.get(id)
          return agreement ? { kind, ...shared, agreement } : []
        }
        if (kind === 'opening') {
          const label = read.links.get(id)
          return label ? { kind, ...shared, opening: { link_id: id, link_label: label } } : []
        }
        const request = read.requests.get(id)!
        const email = displayEmail(request.email)
        return { kind, ...shared, request: { ...request, email } }
      })
      const hasMore = hasOlder || cut >= 0
      return { items, ...totals, next_cursor: hasMore ? cursorAfter(shown.at(-1)!) : null }
    },
    mark({ id: accountId }: Account, given: MarkInput): Promise<Marked> {
      const { ids, is_read: isRead, is_done: isDone, until } = given
      const said = { accountId, ids, isRead, isDone, until }
      return database.write(async (tx) => ({
        ids: await sequence.mark(tx, said),
        ...(await countAll(tx, { accountId, pageId: null })),
      }))
    },
    /** The pages that have open items, those with the most first. */
    listPages: ({ id: accountId }: Account, { limit, offset }: InboxPagesQuery) =>
      database.snapshot(async (db) => {
        const items = await sequence.countByPage(db, accountId)
        const ordered = [...items].toSorted(mostFirst).map(([id]) => id)
        const pages = await findPages(ordered.slice(offset, offset + limit), db)
        return {
          data: pages.map((page) => ({ ...shownPage(page), items: items.get(page.id)! })),
          next_offset: ordered.length > offset + limit ? offset + limit : null,
        }
      }),
  }
}

function kindOf({ type }: sequence.PlacedEvent): Kind {
  return KINDS.find((kind) => TYPES[kind].includes(type))!
}

async function countAll(db: Db, of: sequence.InboxPages): Promise<Omit<Marked, 'ids'>> {
  const rows = await sequence.countInInbox(db, of, WAITING)
  const sum = (counted: typeof rows) => counted.reduce((all, { count }) => all + count, 0)
  const countOf = (kind: Kind) => sum(rows.filter((row) => TYPES[kind].includes(row.type)))
  return {
    counts: {
      threads: countOf('thread'),
      requests: countOf('request'),
      decisions: countOf('decision'),
      responses: countOf('response'),
    },
    unread: rows.reduce((all, { unread }) => all + unread, 0),
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

const CURSOR = /^before-([1-9]\d{0,14})$/

/** Names a number of the sequence, so it stays valid while items come and go. */
function cursorAfter({ number }: Found): string {
  return `before-${number}`
}

/** @throws Refusal `invalid_parameter` */
function numberIn(cursor: string): number {
  const [, number] = CURSOR.exec(cursor) ?? []
  if (number !== undefined) return Number(number)
  const message = 'This is no cursor: pass the `next_cursor` of an answer, or none.'
  throw refuse.invalid('invalid_parameter', message, { param: 'cursor' })
}

export function inboxOperations(inbox: Inbox): Operation[] {
  return [
    implement(getInbox, async ({ account }, query) => ({ data: await inbox.read(account, query) })),
    implement(markInbox, async ({ account }, marks) => {
      if (marks.is_read === undefined && marks.is_done === undefined) {
        const message = 'Pass is_read or is_done, or both.'
        throw refuse.invalid('invalid_parameter', message, { param: 'is_read' })
      }
      return { data: await inbox.mark(account, marks) }
    }),
    implement(listInboxPages, ({ account }, query) => inbox.listPages(account, query)),
  ]
}
