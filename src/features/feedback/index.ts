import { type Account, assertMayUse, type RequestKey } from '../../model/account.ts'
import { Refusal, refuse } from '../../model/errors.ts'
import { type ClosingReason, EVENT_TYPES, type EventType } from '../../model/event-types.ts'
import { operationsOf, type RequestContext } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { parsePageName } from '../../model/page-name.ts'
import { isForeignKeyViolation } from '../../platform/db/errors.ts'
import type { Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { shareReads } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import type { Access } from '../access/index.ts'
import type { Agreements } from '../agreements/index.ts'
import type { Approvals } from '../approvals/index.ts'
import type { Comments } from '../comments/index.ts'
import { sequence } from '../events/index.ts'
import type { Links } from '../links/index.ts'
import type { Polls } from '../polls/index.ts'
import type { Responses } from '../responses/index.ts'
import { ofConfirmed } from './confirmed.ts'
import * as contract from './contract.ts'
import {
  type Feedback as Answer,
  type FeedbackEvent,
  type FeedbackQuery,
  feedbackEvent,
} from './contract.ts'
import { createWaits } from './waits.ts'

interface FeedbackDeps extends Pick<Services, 'database' | 'clock' | 'baseUrl'> {
  findPages(ids: readonly string[], db: Db): Promise<Page[]>
  findPage(idOrSlug: string): Promise<Page | undefined>
  comments: Pick<Comments, 'readWithParents' | 'presentThreads'>
  responses: Pick<Responses, 'sizesOf' | 'readWhole'>
  polls: Pick<Polls, 'readNamed'>
  approvals: Pick<Approvals, 'readDecisions'>
  access: Pick<Access, 'readRequests'>
  agreements: Pick<Agreements, 'readAcceptances'>
  links: Pick<Links, 'labelsOf'>
}

/** What a key may read of them. */
function itemsFor({ confirmed_only, page_ids }: RequestKey, items: FeedbackEvent[]) {
  const mayRead = ({ page_id }: FeedbackEvent) => page_ids === null || page_ids.includes(page_id)
  const readable = items.filter(mayRead)
  return confirmed_only ? ofConfirmed(readable) : readable
}

/** The size of the responses in one answer, which has at least one event. */
const MAX_BYTES = 512 * 1024

/** Reads what viewers did, in the order of its numbers. */
export type { FeedbackEvent } from './contract.ts'
export type Feedback = ReturnType<typeof createFeedback>

export function createFeedback(deps: FeedbackDeps) {
  const { database, clock } = deps
  const waits = createWaits({
    readNumbers: (ids) => sequence.lastNumbers(database.read, ids),
    async readPages(accountId, after) {
      const rows = await sequence.pagesAfter(database.read, [accountId, after])
      return new Set(rows.map((row) => row.page_id))
    },
    async readExisting(ids) {
      return new Set((await deps.findPages(ids, database.read)).map(({ id }) => id))
    },
  })

  /** Those who wait for the same are answered from one read. */
  const readShared = shareReads(async (range) => {
    const rows = await readRows(deps, JSON.parse(range) as Range)
    return { rows, items: await present(deps, rows) }
  })

  return {
    async read(
      account: Account,
      { page, ...query }: FeedbackQuery & { page: Page | null },
      { signal: signalOf, key, renew }: Pick<RequestContext, 'signal' | 'key' | 'renew'> = {},
    ): Promise<Answer> {
      const { cursor, types, own, limit, wait_s: waitS } = query
      const accountId = account.id
      const signal = signalOf?.()
      const until = clock.ms() + waitS * 1000
      const pageId = page?.id ?? null
      const range: Range = {
        ...{ accountId, limit, pageId, hasOwn: own, types: typesIn(types) },
        after: cursor === undefined ? null : numberIn(cursor, accountId),
      }
      for (let hasWaited = false; ; hasWaited = true) {
        const reading = readShared(JSON.stringify(range))
        const { rows, items: all } = await reading.finally(hasWaited ? renew : undefined)
        const items = key ? itemsFor(key, all) : all
        const ms = until - clock.ms()
        const isOver = items.length > 0 || ms <= 0 || waits.isStopped() || signal?.aborted
        if (isOver) return { items, cursor: cursorOf(accountId, rows.read), more: rows.more }
        range.after = rows.read
        if (rows.more) continue
        await waits.wait({ accountId, pageId, after: rows.last, ms, signal })
      }
    },
    /** What follows a number, for other features. `last` is the number to go on from. */
    async readAfter(range: Range & { after: number }) {
      const rows = await readRows(deps, range)
      const byId = new Map(rows.events.map((row) => [`evt_${row.number}`, row]))
      const items = (await present(deps, rows)).map((event) => ({
        // Without members that are not declared, as the API answers it.
        event: feedbackEvent.parse(event) as FeedbackEvent,
        row: byId.get(event.id)!,
      }))
      return { items, last: rows.read, more: rows.more }
    },
    /** @param name an id, a slug or a URL. @throws Refusal `invalid_parameter` */
    pageNamed: (account: Account, name: string) => pageNamed(deps, account, name),
    /**
     * Does what stores something about a page that the input names, if it names one.
     *
     * @throws Refusal `invalid_parameter` where the page was deleted meanwhile
     */
    withPageNamed<T>(account: Account, name: string | null | undefined, work: Promise<T>) {
      return work.catch(async (err) => {
        const isGone = err instanceof Refusal && err.kind === 'notFound'
        if (name && (isGone || isForeignKeyViolation(err))) await pageNamed(deps, account, name)
        throw err
      })
    },
    /**
     * The ids of the pages that a key is for; null where it is for all.
     *
     * @param param null for a command, to which a page that is not there is not found
     */
    async pageIdsNamed(
      account: Account,
      names: string[] | null | undefined,
      param: string | null = 'page_ids',
    ) {
      const pages = names?.map((name) => pageNamed(deps, account, name, param))
      return pages ? (await Promise.all(pages)).map(({ id }) => id) : null
    },
    lastNumber: (accountId: string) => sequence.lastNumber(database.read, accountId),
    /** Ends where there is something after a number, or at the latest when the time is over. */
    waitAfter: waits.wait,
    isStopped: waits.isStopped,
    /** Answers all who wait: the server stops. */
    stop: waits.stop,
    countWaits: waits.count,
  }
}

async function pageNamed(
  { findPage, baseUrl }: FeedbackDeps,
  account: Account,
  name: string,
  param: string | null = 'page_id',
): Promise<Page> {
  const { idOrSlug, origin } = parsePageName(name)
  const isHere = origin === null || origin === baseUrl
  const page = isHere ? await findPage(idOrSlug) : undefined
  if (page?.account_id === account.id) return page
  const text = 'You have no such page here: give its id, its slug or its link.'
  if (param === null) throw refuse.notFound('page_not_found', text)
  throw refuse.invalidParameter(param, text)
}

/** All data of an answer, read from one snapshot. */
function readRows(deps: FeedbackDeps, range: Range) {
  const { accountId, limit } = range
  return deps.database.snapshot(async (db) => {
    const last = await sequence.lastNumber(db, accountId)
    const after = range.after ?? last
    if (after > last) throw foreignCursor()
    const rows = await sequence.listAfter(db, { ...range, after, limit: limit + 1 })
    const events = await fitting(deps, db, rows.slice(0, limit))
    const more = events.length < rows.length
    const ofPages = await deps.findPages([...new Set(events.map(({ page_id: id }) => id))], db)
    const pages = new Map(ofPages.map((page) => [page.id, page]))
    return {
      ...{ events, pages, more, last },
      // Every number up to the last one is visible: they are given in order.
      read: more ? events.at(-1)!.number : last,
      objects: await readObjects(deps, db, { pages, events }),
    }
  })
}
type Rows = Awaited<ReturnType<typeof readRows>>

/** As many of the events as one answer holds: at least one. */
async function fitting({ responses }: FeedbackDeps, db: Db, events: sequence.NumberedEvent[]) {
  const ids = events.flatMap((event) => (event.type === 'response' ? [event.object_id!] : []))
  const sizes = await responses.sizesOf(db, ids)
  let bytes = 0
  const over = events.findIndex(({ object_id: id }, at) => {
    bytes += sizes.get(id ?? '') ?? 0
    return bytes > MAX_BYTES && at > 0
  })
  return over < 0 ? events : events.slice(0, over)
}

async function readObjects(
  deps: FeedbackDeps,
  db: Db,
  { pages, events }: { pages: ReadonlyMap<string, Page>; events: sequence.NumberedEvent[] },
) {
  const ids = (...types: EventType[]) =>
    events.flatMap(({ type, object_id: id }) => (types.includes(type) && id !== null ? [id] : []))
  const linkIds = events.flatMap(({ link_id: id }) => id ?? [])
  return {
    threads: await deps.comments.readWithParents(db, ids('comment', 'reply')),
    links: await deps.links.labelsOf(db, linkIds),
    votes: await deps.polls.readNamed(db, pages, ids('vote')),
    response: await deps.responses.readWhole(db, ids('response')),
    approval: await deps.approvals.readDecisions(db, pages, ids('approval')),
    agreement: await deps.agreements.readAcceptances(db, ids('agreement')),
    access_request: await deps.access.readRequests(db, ids('access_request')),
  }
}

/** The events with what they are about; without those of which that is gone. */
async function present(deps: FeedbackDeps, { events, pages, objects }: Rows) {
  const threads = await deps.comments.presentThreads([...pages.values()], objects.threads)
  const emptied = new Set(
    objects.threads.flatMap(({ root }) => (root.is_deleted === 1 ? [root.id] : [])),
  )
  return events.flatMap((event): FeedbackEvent | [] => {
    const { number, at, page_id, object_id: id } = event
    const page = pages.get(page_id)
    if (page === undefined) return []
    const label = objects.links.get(event.link_id ?? '') ?? null
    const link = { link_id: label === null ? null : event.link_id, link_label: label }
    const shared = { id: `evt_${number}`, at, page_id, page_title: page.title, ...link }
    const { type } = event
    switch (type) {
      case 'opened':
        if (event.link_id === null) return { type, ...shared, email: displayEmail(id!) }
        return label === null ? [] : { type, ...shared, email: null }
      case 'page_closed':
        return { type, ...shared, reason: id as ClosingReason }
      case 'vote':
        return { type, ...shared, vote: objects.votes.get(`${page_id} ${id}`) ?? null }
      case 'comment': {
        const comment = threads.get(event.item_id!)
        return comment && !emptied.has(comment.id) ? { type, ...shared, comment } : []
      }
      case 'reply': {
        const thread = threads.get(event.item_id!)
        const comment = thread?.replies.find((reply) => reply.id === id)
        return comment ? { type, ...shared, comment, thread: thread! } : []
      }
      default: {
        const object = objects[type].get(id!)
        return object ? ({ type, ...shared, [type]: object } as FeedbackEvent) : []
      }
    }
  })
}

interface Range {
  accountId: string
  pageId: string | null
  types: readonly EventType[] | null
  hasOwn: boolean
  /** Null: from now on. */
  after: number | null
  limit: number
}

const START = 'start'

/** It names the account, so that that of another account or server is not taken for one of this. */
function cursorOf(accountId: string, number: number): string {
  return `${accountId}-${number}`
}

/** @throws Refusal `invalid_parameter` */
function numberIn(cursor: string, accountId: string): number {
  if (cursor === START) return 0
  const [, number] = /-(\d{1,15})$/.exec(cursor) ?? []
  if (number !== undefined && cursorOf(accountId, Number(number)) === cursor) return Number(number)
  throw foreignCursor()
}

function foreignCursor() {
  const text =
    'This is no cursor of this account: pass that of an answer, `start` for all that is kept, or ' +
    'none to begin now.'
  return refuse.invalidParameter('cursor', text)
}

/** @throws Refusal `invalid_parameter` */
function typesIn(text: string | undefined): EventType[] | null {
  if (text === undefined) return null
  return text.split(',').map((part) => {
    const type = EVENT_TYPES.find((each) => each === part.trim())
    if (type !== undefined) return type
    const message = `types takes some of ${EVENT_TYPES.join(', ')}, separated by commas.`
    throw refuse.invalidParameter('types', message)
  })
}

export function feedbackOperations(feedback: Feedback) {
  return operationsOf(contract, {
    getFeedback: async ({ account, context }, { page_id: name, ...query }) => {
      const find = async () => (name === undefined ? null : feedback.pageNamed(account, name))
      const page = await find()
      if (page !== null && context.key) assertMayUse(context.key, page.id)
      const renew = () => Promise.resolve(context.renew?.()).then(find)
      return feedback.read(account, { ...query, page }, { ...context, renew })
    },
    getPageFeedback: ({ account, page, context }, query) =>
      feedback.read(account, { ...query, page }, context),
  })
}
