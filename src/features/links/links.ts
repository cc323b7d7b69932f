import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { type Paging, pageOf } from '../../model/paging.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { deleteInPieces, ROWS } from '../../platform/db/delete-in-pieces.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { lockUntilCommit } from '../../platform/db/leases.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { isId, isLinkToken, newId, newLinkToken } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import type { Link, LinkChange, LinkState, NewLink } from './contract.ts'
import * as store from './store.ts'

const MAX_OF_PAGE = 1000
const MAX_OF_ACCOUNT = 20_000
/** How often the time of the last opening is stored. */
const OPENED_MS = 60_000

interface LinkDeps extends Pick<Services, 'database' | 'clock' | 'baseUrl'> {
  recordEvent: RecordEvent
}
export type Links = ReturnType<typeof createLinks>

/** Links of a page, each with the name of whom it was given to. */
export function createLinks({ database, clock, baseUrl, recordEvent }: LinkDeps) {
  function rowOf(page: Page, link: NewLink): store.LinkRow {
    const { label, email = null, expires_at = null, max_views = null, note = null } = link
    const { id: page_id, account_id } = page
    const [id, token, created_at] = [newId('lnk', clock.ms()), newLinkToken(), clock.now()]
    return {
      ...{ id, page_id, account_id, token, created_at },
      ...{ label, email, note, expires_at, max_views, off_at: null, opens: 0 },
      ...{ first_opened_at: null, last_opened_at: null, sent_at: null, bounced_at: null },
    }
  }

  function linkOf(row: store.LinkRow): Link {
    const { page_id: _page, account_id: _account, token, off_at: _off, email, ...rest } = row
    const state = stateOf(row, clock.ms())
    return { ...rest, email: email && displayEmail(email), state, url: `${baseUrl}/l/${token}` }
  }

  return {
    ...createVisits({ database, clock, recordEvent }),
    ...store.linkCounts,
    /** Deletes the links for an address. @param accountId null: of all. @returns how many */
    forget: async (tx: Tx, email: string, accountId: string | null) =>
      forgetOpenings(tx, await store.deleteFor(tx, email, accountId)),
    /**
     * Forgets who came by links last before, when links were sent and opened where that was before,
     * and how often where no limit needs it.
     */
    async forgetOld(before: Timestamp): Promise<void> {
      await deleteInPieces(database, ROWS, async (tx) =>
        forgetOpenings(tx, await store.forgetOld(tx, [before])),
      )
      await store.deleteOldVisitors(database, [before])
    },
    /** @throws Refusal `too_many_links`: then none of them was made */
    async create(page: Page, people: readonly NewLink[]): Promise<Link[]> {
      const rows = people.map((person) => rowOf(page, person))
      await database.write(async (tx) => {
        // How many there are is counted and then added to: one transaction at a time.
        await lockUntilCommit(tx, database.engine, 'links')
        const ofPage = await store.countOfPage(tx, [page.id])
        if (ofPage + rows.length > MAX_OF_PAGE) throw tooMany('The page', MAX_OF_PAGE)
        const ofAccount = await store.countOfAccount(tx, [page.account_id])
        if (ofAccount + rows.length > MAX_OF_ACCOUNT) throw tooMany('The account', MAX_OF_ACCOUNT)
        await store.insertAll(tx, rows)
      })
      return rows.map(linkOf)
    },
    async list(page: Page, { limit, offset }: Paging) {
      const rows = await store.list(database.read, [page.id, limit + 1, offset])
      return pageOf(rows.map(linkOf), { limit, offset })
    },
    /** All of a page, the newest first. */
    ofPage: (db: Db, pageId: string) => store.listOfPage(db, [pageId]),
    countOfPage: ({ id }: Page) => store.countOfPage(database.read, [id]),
    /** @throws Refusal `link_not_found` */
    async update(page: Page, id: string, { state, ...change }: LinkChange): Promise<Link> {
      const off = state !== undefined && { off_at: state === 'off' ? clock.now() : null }
      const values = { ...change, ...off }
      const key = { id, page_id: page.id }
      const row =
        Object.keys(values).length === 0
          ? await store.find(database.read, [page.id, id])
          : await database.write((tx) => store.update(tx, key, values), 'freeing')
      if (row === undefined) throw linkNotFound()
      return linkOf(row)
    },
    /** @throws Refusal `link_not_found` */
    async remove(page: Page, id: string): Promise<void> {
      await database.write(async (tx) => {
        // The id is as it was sent: only that of a link of the page leads to an opening.
        if (!(await store.remove(tx, [page.id, id]))) throw linkNotFound()
        await sequence.forgetItems(tx, [id])
      }, 'freeing')
    },
    stateOf: (row: store.LinkRow) => stateOf(row, clock.ms()),
    find: (db: Db, id: string) => store.findById(db, [id]),
    /** The link of a row as its owner reads it. */
    linkOf,
    readings: store.listReadings,
    addresses: store.listAddresses,
    byAddresses: store.listByAddresses,
    /** The names of links, for the owner of their pages. */
    async labelsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await store.listLabels(db, [...new Set(ids)])
      return new Map(rows.map((row) => [row.id, row.label]))
    },
  }
}

/** What is known of those who come by links. */
function createVisits({ database, clock, recordEvent }: Omit<LinkDeps, 'baseUrl'>) {
  return {
    /** The link of an address; undefined for a text that is none. */
    async findByToken(token: string): Promise<store.LinkRow | undefined> {
      return isLinkToken(token) ? store.findByToken(database.read, [token]) : undefined
    },
    /**
     * Whether a visitor who came by this link is shut out. It is read from the database at each
     * request, so that a link that is switched off is closed at once on every node.
     *
     * @param isOpening a view is about to begin: a link that is used up opens no other
     */
    async isClosed(pageId: string, id: string, isOpening: boolean): Promise<boolean> {
      const row = isId('lnk', id) ? await store.find(database.read, [pageId, id]) : undefined
      if (row === undefined) return true
      const state = stateOf(row, clock.ms())
      return state !== 'active' && (state !== 'used_up' || isOpening)
    },
    /**
     * A browser that came by the link shows the page: it asked for more than the document.
     *
     * @param by the random id of the browser, and the address that the page's gate has confirmed
     */
    async markOpened(pageId: string, id: string, by: OpenedBy = { browser: null, email: null }) {
      const row = await store.find(database.read, [pageId, id])
      if (row === undefined) return
      const visitors = visitorsOf(by)
      const times = [row.last_opened_at]
      for (const { visitor } of visitors) {
        times.push((await store.findVisitor(database.read, [id, visitor]))?.last_at ?? null)
      }
      if (times.every((at) => at !== null && clock.ms() - millisecondsOf(at) < OPENED_MS)) return
      const now = clock.now()
      await database.write(async (tx) => {
        const [link] = await store.markOpened(tx, [id, now])
        for (const { visitor, email } of visitors) {
          await store.addVisitor(tx, [id, visitor, email, now])
        }
        if (link?.first_opened_at !== now) return
        const who = { accountId: row.account_id, objectId: id, itemId: id, linkId: id }
        await recordEvent(tx, { kind: 'opened', pageId, ...who, at: now, place: 'told' })
      })
    },
    /** Somebody who came by the link did something that an address is confirmed for. */
    async addAddress(tx: Tx, linkId: string, email: string, at: Timestamp): Promise<void> {
      await store.addVisitor(tx, [linkId, email, email, at])
    },
    /** Adds to how far a browser got that came by a link. */
    addProgress: store.addProgress,
  }
}

interface OpenedBy {
  browser: string | null
  email: string | null
}

/** The inbox and feedback have the first opening of a link as well. @returns how many links */
async function forgetOpenings(tx: Tx, links: readonly { id: string }[]): Promise<number> {
  const ids = links.map(({ id }) => id)
  await sequence.forgetItems(tx, ids)
  return ids.length
}

/** A browser, and an address that was confirmed. */
function visitorsOf({ browser, email }: OpenedBy) {
  return [
    ...(browser === null ? [] : [{ visitor: browser, email: null }]),
    ...(email === null ? [] : [{ visitor: email, email }]),
  ]
}

function stateOf(row: store.LinkRow, nowMs: number): LinkState {
  const { off_at, expires_at, max_views, opens } = row
  if (off_at !== null) return 'off'
  if (expires_at !== null && millisecondsOf(expires_at) <= nowMs) return 'expired'
  return max_views !== null && opens >= max_views ? 'used_up' : 'active'
}

function tooMany(whose: string, most: number) {
  const message = `${whose} has ${most} links, the most it can have. Delete some first.`
  return refuse.conflict('too_many_links', message, { limit: most })
}

export function linkNotFound() {
  return refuse.notFound('link_not_found', 'The page has no link with this id.')
}
