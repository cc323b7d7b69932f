import { csvDownload } from '../../model/csv.ts'
import { operationsOf } from '../../model/operation.ts'
import type { RefusalReason } from '../../model/page/admission.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import { type Access, MAILED_LINK, purposeIn } from '../access/index.ts'
import { findDecisions, listDecisions } from '../approvals/index.ts'
import { type Comments, countComments } from '../comments/index.ts'
import type { Confirmations } from '../confirmations/index.ts'
import { type Event, sequence } from '../events/index.ts'
import { type LinkRow, type Links, linkNotFound, type Reminders } from '../links/index.ts'
import type { Reach } from '../mail/index.ts'
import { countVotes } from '../polls/index.ts'
import { countResponses } from '../responses/index.ts'
import type { Viewers } from '../viewers/index.ts'
import type { Views } from '../views/index.ts'
import type { People, PeopleQuery, Person } from './contract.ts'
import * as contract from './contract.ts'

interface PeopleDeps extends Pick<Services, 'database'> {
  access: Pick<Access, 'couldOpen' | 'personalLinks'>
  comments: Pick<Comments, 'readWithParents'>
  confirmations: Pick<Confirmations, 'find'>
  pages: { find(id: string, db: Db): Promise<Page | undefined> }
  links: Links
  linkReminders: Reminders
  views: Views
  viewers: Viewers
}

type Confirmed = Awaited<ReturnType<Views['confirmedPeople']>>[number]
type Decision = Awaited<ReturnType<typeof listDecisions>>[number]

/** What is known of each person whom a page was sent to, or who confirmed an address on it. */
export function createPeople(deps: PeopleDeps) {
  const { database, access, comments, confirmations, links, linkReminders, pages, views } = deps
  const { isMeantFor, ownerOf } = access.personalLinks

  async function list(page: Page, query: PeopleQuery): Promise<People> {
    await views.flush()
    return database.snapshot(async (db) => {
      const { ofPage, people, next_offset } = await lines(deps, db, page, query)
      const all = await views.viewsOf(db, page.id)
      const byLink = ofPage.reduce((sum, { opens }) => sum + opens, 0)
      return { data: { views: all, without_link: all - byLink, people }, next_offset }
    })
  }

  return {
    /** Whether a mail about a link or a comment is still for its recipient: it may have waited. */
    async reachOf(tx: Tx, linkId: string, to: string): Promise<Reach> {
      const link = await links.find(tx, linkId)
      const other = await confirmations.find(tx, linkId)
      const [thread] = await comments.readWithParents(tx, [linkId])
      const said = thread && [thread.root, ...thread.replies].find(({ id }) => id === linkId)
      const page = await pages.find((link ?? other ?? said)?.page_id ?? '', tx)
      if (said && said.is_hidden + said.is_deleted > 0) return 'never'
      if (!page || (link && links.stateOf(link) !== 'active')) return 'never'
      if (page.published_id === null || page.suspended_at !== null) return 'later'
      const isPersonal = other?.purpose === MAILED_LINK
      const isFor = isPersonal ? isMeantFor(page, to, purposeIn(other)) : access.couldOpen(page, to)
      // An approver may own the page.
      return isFor || to === (await ownerOf(page.account_id, tx))?.email ? 'now' : 'never'
    },
    /** How many lines the list has. */
    async count(page: Page): Promise<number> {
      return (await links.countOfPage(page)) + (await views.countConfirmed(page.id))
    },
    operations: operationsOf(contract, {
      listPeople: async ({ page }, query) =>
        query.format === 'csv' ? csvOf(list, page, query) : list(page, query),
      remindPeople: async ({ page }, { link_ids: ids, message = null }) => {
        const { ofPage, isOpened } = await linksOf(deps, database.read, page)
        const byId = byKey(ofPage, ({ id }) => id)
        const rows =
          ids === undefined
            ? ofPage.filter((row) => !isOpened(row))
            : [...new Set(ids)].map((id) => {
                const row = byId.get(id)
                if (row === undefined) throw linkNotFound()
                return row
              })
        return linkReminders.remind(page, rows, { isOpened, message })
      },
    }),
    /** Whoever confirmed an address to do something is a person of the page, and of their link. */
    async onEvent(tx: Tx, event: Event): Promise<void> {
      if (!('itemId' in event) || event.isOwn) return
      const { pageId, at, linkId } = event
      const email = emailOf(event)
      if (!email) return
      await views.addParticipant(tx, [pageId, email, at])
      if (linkId) await links.addAddress(tx, linkId, email, at)
    },
  }
}

/** The links of a page, and which of them were opened: by a browser, or who has the address. */
async function linksOf({ links, views }: PeopleDeps, db: Db, page: Page) {
  const ofPage = await links.ofPage(db, page.id)
  const emails = [...new Set(ofPage.flatMap(({ email }) => email ?? []))]
  const rows = await views.confirmedAmong(db, emails, page.id)
  const confirmed = new Set(rows.map(({ email }) => email))
  const isOpened = ({ first_opened_at: at, email }: LinkRow) =>
    at !== null || (email !== null && confirmed.has(email))
  return { ofPage, isOpened }
}

async function linesOfLinks(
  { links, views, linkReminders }: PeopleDeps,
  db: Db,
  page: Page,
  { rows, isOpened }: { rows: readonly LinkRow[]; isOpened(row: LinkRow): boolean },
): Promise<Person[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const readings = byKey(await links.readings(db, ids), ({ link_id: id }) => id)
  const addresses = Map.groupBy(await links.addresses(db, ids), ({ link_id: id }) => id)
  const acts = Map.groupBy(await sequence.countByLink(db, ids), ({ link_id: id }) => id)
  const refusals = refusalsIn(await views.linkRefusals(db, [page.id]))
  const decisions = await decisionsOf(db, ids)
  const reminderOf = await linkReminders.statesOf(db, page, isOpened)
  return rows.map((row) => {
    const { id, label, opens, first_opened_at, last_opened_at, sent_at, bounced_at } = row
    const reading = readings.get(id)
    const countOf = (types: readonly string[]) =>
      (acts.get(id) ?? [])
        .filter(({ type }) => types.includes(type))
        .reduce((sum, { count }) => sum + count, 0)
    return {
      ...{ who: label, via: 'link', link_id: id, links: [], state: links.stateOf(row) },
      email: row.email === null ? null : displayEmail(row.email),
      addresses: (addresses.get(id) ?? []).map(({ email }) => displayEmail(email)),
      sent: sent_at === null ? null : { at: sent_at, bounced_at },
      opened: {
        ...{ views: opens, first_at: first_opened_at, last_at: last_opened_at },
        devices: reading?.devices ?? 0,
      },
      ...progressOf(reading),
      responses: countOf(['response']),
      comments: countOf(['comment', 'reply']),
      votes: countOf(['vote']),
      decision: presentDecision(decisions.get(id)),
      refusals: refusals.get(id) ?? [],
      reminder: reminderOf(row),
    }
  })
}

/** The newest decision that was given by each link. */
async function decisionsOf(db: Db, ids: readonly string[]) {
  const events = await sequence.decisionsByLink(db, ids)
  const newest = new Map(events.map(({ link_id, object_id }) => [link_id, object_id]))
  const decisions = byKey(await findDecisions(db, [...newest.values()]), ({ id }) => id)
  return new Map([...newest].map(([id, object]) => [id, decisions.get(object)]))
}

async function linesOfAddresses(
  { access, links, viewers }: PeopleDeps,
  db: Db,
  page: Page,
  rows: readonly Confirmed[],
) {
  if (rows.length === 0) return []
  const emails = rows.map(({ email }) => email)
  const keyOf = (email: string) => viewers.viewerOf(page, { email }).key
  const comments = await countComments(db, emails, page.id)
  const votes = await countVotes(db, emails, page.id)
  const responses = await countResponses(db, emails.map(keyOf), page.id)
  const decisions = byKey(await listDecisions(db, page.id), ({ email }) => email)
  const mailedAt = await access.personalLinks.mailedAt(page)
  const cameBy = Map.groupBy(await links.byAddresses(db, emails, page.id), (row) => row.email)
  return rows.map(({ email, views, first_at, last_at, ...measured }): Person => {
    const address = displayEmail(email)
    const sent = mailedAt.get(email) ?? null
    const { seconds, last_sheet: sheet, sections } = measured
    return {
      ...{ who: address, via: 'address', email: address },
      ...{ link_id: null, state: null, addresses: [] },
      links: (cameBy.get(email) ?? []).map(({ link_id, label }) => ({ link_id, label })),
      sent,
      opened: { views, first_at, last_at, devices: null },
      ...progressOf({ seconds, sheet, sections }),
      responses: responses.get(keyOf(email)) ?? 0,
      comments: comments.get(email) ?? 0,
      votes: votes.get(email) ?? 0,
      decision: presentDecision(decisions.get(email)),
      refusals: [],
      reminder: null,
    }
  })
}

/** Links come first, then addresses, for as many lines as a request asks for. */
async function lines(deps: PeopleDeps, db: Db, page: Page, query: PeopleQuery) {
  const { filter, limit, offset } = query
  const { ofPage, isOpened } = await linksOf(deps, db, page)
  const all = filter === undefined ? ofPage : ofPage.filter((row) => !isOpened(row))
  const rows = all.slice(offset, offset + limit)
  const room = limit - rows.length
  const others =
    filter === undefined
      ? await deps.views.confirmedPeople(db, [page.id, room + 1, Math.max(0, offset - all.length)])
      : []
  const people = [
    ...(await linesOfLinks(deps, db, page, { rows, isOpened })),
    ...(await linesOfAddresses(deps, db, page, others.slice(0, room))),
  ]
  const isMore = offset + limit < all.length || others.length > room
  return { ofPage, people, next_offset: isMore ? offset + limit : null }
}

/** The confirmed address of who did it; null of a secret vote, and of who confirmed none. */
function emailOf(event: Event): string | null {
  if (event.kind === 'comment' || event.kind === 'reply') return event.author.email
  if (event.kind === 'vote') return event.ballot?.email ?? null
  return event.kind === 'response' || event.kind === 'decision' ? event.email : null
}

interface Reading {
  seconds: number
  sheet: number | null
  sections: number | null
}

function progressOf(reading: Reading | undefined): Pick<Person, 'progress' | 'seconds'> {
  const { seconds = 0, sheet = null, sections = null } = reading ?? {}
  const progress = sheet === null && sections === null ? null : { sheet, sections }
  return { progress, seconds: seconds === 0 ? null : seconds }
}

function presentDecision(row: Decision | undefined): Person['decision'] {
  if (row === undefined) return null
  const { decision, version_no, decided_at } = row
  return { decision, version_no, decided_at }
}

/** Refusals by link: `{id} {reason}`. Beyond a number of them a day, they are of no link. */
function refusalsIn(rows: readonly { value: string; count: number }[]) {
  const refusals = new Map<string, Person['refusals']>()
  for (const { value, count } of rows) {
    const [id = '', reason] = value.split(' ')
    if (reason === undefined) continue
    const others = refusals.get(id) ?? []
    refusals.set(id, [...others, { reason: reason as RefusalReason, count }])
  }
  return refusals
}

function byKey<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** So many lines of a file are read at once. */
const LINES = 500

const COLUMNS: Record<string, (line: Person) => string | number | null | undefined> = {
  who: ({ who }) => who,
  via: ({ via }) => via,
  link_id: ({ link_id }) => link_id,
  email: ({ email }) => email,
  state: ({ state }) => state,
  addresses: ({ addresses }) => addresses.join(' '),
  links: ({ links }) => links.map(({ label }) => label).join(', '),
  sent_at: ({ sent }) => sent?.at,
  bounced_at: ({ sent }) => sent?.bounced_at,
  views: ({ opened }) => opened.views,
  first_opened_at: ({ opened }) => opened.first_at,
  last_opened_at: ({ opened }) => opened.last_at,
  devices: ({ opened }) => opened.devices,
  sheet: ({ progress }) => progress?.sheet,
  sections: ({ progress }) => progress?.sections,
  seconds: ({ seconds }) => seconds,
  responses: ({ responses }) => responses,
  comments: ({ comments }) => comments,
  votes: ({ votes }) => votes,
  decision: ({ decision }) => decision?.decision,
  decided_at: ({ decision }) => decision?.decided_at,
  refusals: ({ refusals }) => refusals.map(({ reason, count }) => `${reason} ${count}`).join(', '),
  reminders: ({ reminder }) => reminder?.count,
}

type ListPeople = (page: Page, query: PeopleQuery) => Promise<People>

function csvOf(list: ListPeople, page: Page, query: PeopleQuery) {
  async function* lines() {
    for (let offset: number | null = 0; offset !== null; ) {
      const batch: People = await list(page, { ...query, limit: LINES, offset })
      yield* batch.data.people
      offset = batch.next_offset
    }
  }
  return csvDownload(`${page.slug}-people.csv`, COLUMNS, lines())
}
