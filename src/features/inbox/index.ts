import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { pageOf } from '../../model/paging.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Access } from '../access/index.ts'
import type { Agreements } from '../agreements/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Comments } from '../comments/index.ts'
import { sequence } from '../events/index.ts'
import type { Links } from '../links/index.ts'
import type { Responses } from '../responses/index.ts'
import type { InboxAnswer, InboxItem, InboxQuery } from './contract.ts'
import * as contract from './contract.ts'

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
const PLACES = { open: ['open'], unread: ['open'], done: ['done', 'closed'] } as const
const TOLD_PLACES = { open: ['told'], unread: [], done: [] } as const
const ALL_PLACES = [...PLACES.open, ...PLACES.done, ...TOLD_PLACES.open]

/** An item of which only the event has been read. */
type Entry = sequence.PlacedEvent & { kind: Kind }

async function assertOwn(
  { findPages }: InboxDeps,
  db: Db,
  { accountId, pageId }: sequence.InboxPages,
): Promise<void> {
  if (pageId === null) return
  const [page] = await findPages([pageId], db)
  if (page?.account_id === accountId) return
  const message = `You have no page with the id ${pageId}: leave page_id out for all pages.`
  throw refuse.invalidParameter('page_id', message)
}

/** All data of an answer, read from one snapshot. */
function readAll(deps: InboxDeps, account: Account, query: InboxQuery) {
  const { comments, access, approvals, responses, agreements, links } = deps
  const { limit, cursor, kind, page_id, state, item = null } = query
  const of = { accountId: account.id, pageId: page_id ?? null }
  const types = kind === undefined ? null : TYPES[kind]
  const before = cursor === undefined ? null : numberIn(cursor)
  const isUnread = state === 'unread' && item === null
  const range = { ...of, types, item, isUnread, before, limit: limit + 1 }
  return deps.database.snapshot(async (db) => {
    await assertOwn(deps, db, of)
    const all: Entry[] = []
    const places = kind !== undefined && TOLD.includes(kind) ? TOLD_PLACES : PLACES
    for (const place of item === null ? places[state] : ALL_PLACES) {
      const events = await sequence.listInInbox(db, { ...range, place })
      all.push(...events.map((event) => ({ ...event, kind: kindOf(event) })))
    }
    const entries = all.sort((a, b) => b.number - a.number).slice(0, limit)
    const ids = (kind: Kind) =>
      entries.flatMap((entry) => (entry.kind === kind ? [entry.item_id] : []))
    const ofPages = await deps.findPages([...new Set(entries.map((entry) => entry.page_id))], db)
    const pages = new Map(ofPages.map((page) => [page.id, page]))
    return {
      entries,
      pages,
      hasOlder: all.length > limit,
      totals: await countAll(db, of),
      threads: await comments.readThreads(db, ids('thread')),
      objects: {
        request: await access.readRequests(db, ids('request')),
        decision: await approvals.readDecisions(db, pages, ids('decision')),
        response: await responses.readShort(db, ids('response')),
        agreement: await agreements.readAcceptances(db, ids('agreement')),
        opening: openings(await links.labelsOf(db, ids('opening'))),
      },
    }
  })
}

function openings(labels: ReadonlyMap<string, string>) {
  return new Map([...labels].map(([id, label]) => [id, { link_id: id, link_label: label }]))
}

/** What waits on the account's pages, or was done. @throws Refusal `invalid_parameter` */
async function read(deps: InboxDeps, account: Account, query: InboxQuery): Promise<InboxAnswer> {
  const { entries: all, pages, hasOlder, totals, ...rows } = await readAll(deps, account, query)
  const thread = await deps.comments.presentThreads([...pages.values()], rows.threads)
  const objects = { ...rows.objects, thread }
  // Threads beyond what an answer holds were not read.
  const cut = all.findIndex(({ kind, item_id: id }) => kind === 'thread' && !thread.has(id))
  const entries = cut < 0 ? all : all.slice(0, cut)
  const items = entries.flatMap(({ kind, at, page_id: of, ...event }): InboxItem | [] => {
    const id = event.item_id
    const isTold = event.place === 'told'
    const isRead = isTold || event.is_read === 1
    const marks = { is_read: isRead, is_done: !isTold && event.place !== 'open' }
    const shared = { id, at, ...marks, page: presentPage(deps, pages.get(of)!) }
    const object = objects[kind].get(id)
    return object === undefined ? [] : ({ kind, ...shared, [kind]: object } as InboxItem)
  })
  const hasMore = hasOlder || cut >= 0
  return { items, ...totals, next_cursor: hasMore ? `before-${entries.at(-1)!.number}` : null }
}

function presentPage({ baseUrl }: InboxDeps, { id, title, slug, settings }: Page) {
  const { allow_comments } = settings
  return { id, title, slug, url: `${baseUrl}/p/${slug}`, allow_comments }
}

function kindOf({ type }: sequence.PlacedEvent): Kind {
  return KINDS.find((kind) => TYPES[kind].includes(type))!
}

async function countAll(db: Db, of: sequence.InboxPages) {
  const rows = await sequence.countInInbox(db, of)
  const countOf = (kind: Kind) =>
    rows.reduce((sum, { type, count }) => sum + (TYPES[kind].includes(type) ? count : 0), 0)
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

/** Names a number of the sequence, so it stays valid while items come and go. */
const CURSOR = /^before-([1-9]\d{0,14})$/

/** @throws Refusal `invalid_parameter` */
function numberIn(cursor: string): number {
  const [, number] = CURSOR.exec(cursor) ?? []
  if (number !== undefined) return Number(number)
  const message = 'This is no cursor: pass the `next_cursor` of an answer, or none.'
  throw refuse.invalidParameter('cursor', message)
}

/** Lists what viewers did, by the sequence of their events, for the owner of the pages. */
export function inboxOperations(deps: InboxDeps) {
  const { database, findPages } = deps
  return operationsOf(contract, {
    getInbox: ({ account }, query) => read(deps, account, query),
    markInbox: async ({ account: { id: accountId } }, marks) => {
      const { ids, is_read: isRead, is_done: isDone, until } = marks
      if (isRead === undefined && isDone === undefined) {
        throw refuse.invalidParameter('is_read', 'Pass is_read or is_done, or both.')
      }
      return database.write(async (tx) => ({
        ids: await sequence.mark(tx, { accountId, ids, isRead, isDone, until }),
        ...(await countAll(tx, { accountId, pageId: null })),
      }))
    },
    listInboxPages: ({ account }, range) =>
      database.snapshot(async (db) => {
        const counts = await sequence.countByPage(db, account.id)
        const ids = [...counts].toSorted(mostFirst).map(([id]) => id)
        const { data, next_offset } = pageOf(ids.slice(range.offset), range)
        const pages = await findPages(data, db)
        const items = pages.map((page) => ({
          ...presentPage(deps, page),
          items: counts.get(page.id)!,
        }))
        return { data: items, next_offset }
      }),
  })
}
