import { z } from 'zod'
import { assertNotSuspended } from '../../model/account.ts'
import { type Batches, time } from '../../model/archive.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { email } from '../../model/text.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { importBatch, type WriteStep } from '../../platform/db/long-write.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { newId } from '../../platform/ids.ts'
import type { Confirmation } from '../confirmations/index.ts'
import { type Place, type RecordEvent, sequence } from '../events/index.ts'
import { pageName } from '../mail/index.ts'
import { LIMITS } from '../throttles/index.ts'
import type { AccessRequest } from './contract.ts'
import { approvedMail, requestDigestMail, requestMail } from './mail.ts'
import type { PersonalLinkDeps, PersonalLinks } from './personal-links.ts'
import { takesRequests } from './rules.ts'
import * as store from './store.ts'

/** How long an owner may decide by the links in the mail about a request. */
const DECISION_LINK_MS = 7 * 24 * 60 * 60 * 1000
/** The requests that one digest lists. */
const DIGEST_LENGTH = 20

/** Purposes of confirmations. They are stored with each confirmation. */
export const APPROVE_REQUEST = 'approve_access_request'
export const DENY_REQUEST = 'deny_access_request'
export const REVIEW_REQUESTS = 'review_access_requests'

export type RequestDecision = 'approve' | 'deny'

export interface OpenRequest {
  id: string
  page_id: string
  email: string
  /** The page as its owner knows it. */
  pageName: string
}

export interface AccessRequestDeps extends Omit<PersonalLinkDeps, 'couldOpen'> {
  findPage(id: string, db?: Db): Promise<Page | undefined>
  recordEvent: RecordEvent
  /** Adds an address to the page's invited ones. */
  invite(tx: Tx, page: Page, email: string): Promise<void>
  mailedLink: PersonalLinks['mailedLink']
}

export function createAccessRequests(deps: AccessRequestDeps) {
  const { database, clock, throttles, ownerOf, findPage } = deps
  return {
    /**
     * Deletes the requests of an address, decided or not.
     *
     * @param accountId whose pages it asked for; null: all. @returns how many
     */
    async forgetRequests(tx: Tx, email: string, accountId: string | null): Promise<number> {
      const ids = await store.deleteRequests(tx, email, accountId)
      await sequence.forgetItems(tx, ids)
      return ids.length
    },
    /** Records a visitor's request and mails the owner, unless the address asked before. */
    async requestAccess(page: Page, email: string): Promise<void> {
      const owner = await ownerOf(page.account_id)
      if (owner === null) return
      const isInvited = page.settings.allowed_emails.includes(email)
      const isNew = !isInvited && !(await store.hasAsked(database.read, [page.id, email]))
      // A request that changes nothing is not counted, but takes the same steps.
      const counter = isNew ? page.account_id : `${page.account_id} unchanged`
      const { isAllowed, resetS } = await throttles.consume(LIMITS.request_mail_to_owner, counter)
      await database.write(async (tx) => {
        const { id: pageId, account_id } = page
        const ids = { id: newId('ar'), page_id: pageId, account_id }
        const row = { ...ids, email, created_at: clock.now(), decided_at: null, decision: null }
        const isInserted = isNew && (await store.insertRequest(tx, row))
        const notice = { page, to: owner.email, request: row }
        if (isInserted && !isAllowed) await mailDigest(deps, tx, { ...notice, resetS })
        else await mailRequest(deps, tx, { ...notice, isDecoy: !isInserted })
        if (!isInserted) return
        const about = { pageId, accountId: account_id, objectId: row.id, itemId: row.id }
        const at = row.created_at
        await deps.recordEvent(tx, { kind: 'request', ...about, at, place: placeOf(page) })
      })
    },
    /** The page's requests, newest first. */
    requests: (page: Page) => store.listRequests(database.read, [page.id]),
    /**
     * The newest undecided requests for the pages of an account.
     * @throws Refusal `account_suspended`
     */
    async openRequests(accountId: string): Promise<OpenRequest[]> {
      const rows = await store.listOpen(database.read, accountId, OPEN_LENGTH)
      const requests = rows.map(async ({ id, page_id, email }) => {
        const page = await findPage(page_id)
        if (page === undefined) return []
        assertNotSuspended(page)
        return [{ id, page_id, email, pageName: pageName(page) }]
      })
      return (await Promise.all(requests)).flat()
    },
    /** Requests by id, as the owner reads them. */
    async readRequests(db: Db, ids: readonly string[]): Promise<Map<string, AccessRequest>> {
      const rows = await store.findRequests(db, ids)
      return new Map(rows.map((request) => [request.id, withDisplayEmail(request)]))
    },
    /**
     * Updates the inbox when the page opens for access requests or closes. Runs in the transaction
     * of the change.
     */
    async onPageChange(tx: Tx, before: Page, after: Page): Promise<void> {
      const isTaking = takesRequests(after)
      if (isTaking !== takesRequests(before)) await sequence.placeRequests(tx, after.id, isTaking)
    },
    /**
     * Approving invites the address and mails it. The invitation, the decision and the mail are
     * committed together, and the links of the mail about the request are closed.
     *
     * @throws Refusal `request_not_found`, `too_many_invitees` or `account_suspended`
     */
    decide(page: Page, id: string, decision: RequestDecision, tx?: Tx): Promise<AccessRequest> {
      const decide = (tx: Tx) => decideWithin(deps, tx, page, { id, decision })
      return tx === undefined ? database.write(decide, 'freeing') : decide(tx)
    },
  }
}

const linkTo = ({ baseUrl }: AccessRequestDeps, token: string) => `${baseUrl}/app/confirm/${token}`

/**
 * Mails the owner about one request.
 *
 * @param notice `isDecoy` writes the same rows, but the links are secret and the mail is never sent
 */
async function mailRequest(
  deps: AccessRequestDeps,
  tx: Tx,
  { page, to, request, isDecoy }: Notice & { isDecoy: boolean },
): Promise<void> {
  const { confirmations, sendMail, baseUrl, host } = deps
  const { id, email, created_at: at } = request
  const details = detailsOf(request)
  const options = { email: to, page_id: page.id, details, ttlMs: DECISION_LINK_MS, isDecoy }
  const approve = await confirmations.start(tx, { ...options, purpose: APPROVE_REQUEST })
  const deny = await confirmations.start(tx, { ...options, purpose: DENY_REQUEST })
  const mail = requestMail(page, {
    ...{ to, email, at, host },
    approveUrl: linkTo(deps, approve.token),
    denyUrl: linkTo(deps, deny.token),
    itemUrl: `${baseUrl}/app/inbox?item=${id}`,
  })
  await sendMail(tx, mail, { discard: isDecoy })
}

/** Postpones the mail to the end of the hour. Each request until then updates that one mail. */
async function mailDigest(
  { confirmations, findPage, sendMail, clock, baseUrl, host }: AccessRequestDeps,
  tx: Tx,
  { page, to, resetS }: Notice & { resetS: number },
): Promise<void> {
  const accountId = page.account_id
  const open = await store.listOpen(tx, accountId, DIGEST_LENGTH)
  const pages = await Promise.all(open.map(({ page_id }) => findPage(page_id, tx)))
  const requests = open.flatMap(({ email, created_at: at }, i) =>
    pages[i] === undefined ? [] : [{ email, at, page: pages[i] }],
  )
  const count = await store.countOpen(tx, accountId)
  const options = { email: to, details: { account_id: accountId }, ttlMs: DECISION_LINK_MS }
  const { token } = await confirmations.start(tx, { ...options, purpose: REVIEW_REQUESTS })
  const url = `${baseUrl}/app/requests/${token}`
  await sendMail(tx, requestDigestMail({ to, requests, count, url, host }), {
    dedupe_key: `${accountId} access-requests`,
    not_before: clock.after(resetS * 1000),
  })
}

async function decideWithin(
  deps: AccessRequestDeps,
  tx: Tx,
  page: Page,
  { id, decision }: { id: string; decision: RequestDecision },
): Promise<AccessRequest> {
  assertNotSuspended(page)
  const request = await store.decideRequest(tx, [page.id, id, decision, deps.clock.now()])
  if (request === undefined) {
    throw refuse.notFound('request_not_found', `This page has no access request ${id}.`)
  }
  await sequence.place(tx, [id, 'closed'])
  await deps.confirmations.close(tx, page.id, detailsOf(request))
  if (decision === 'deny') return request
  const { email: to } = request
  await deps.invite(tx, page, to)
  const { url, link_id } = await deps.mailedLink(tx, page, { email: to, purpose: 'view' })
  const owner = await deps.ownerOf(page.account_id, tx)
  await deps.sendMail(tx, approvedMail(page, { to, url, host: deps.host, owner }), { link_id })
  return request
}

/** As the owner reads it. */
export function withDisplayEmail<T extends { email: string }>(row: T): T {
  return { ...row, email: displayEmail(row.email) }
}

function placeOf(page: Page): Place {
  return takesRequests(page) ? 'open' : null
}

/** The requests that the page of a digest shows at once. */
const OPEN_LENGTH = 100

interface Notice {
  page: Page
  /** The owner's address. */
  to: string
  request: { id: string; email: string; created_at: string }
}

interface RequestDetails extends Record<string, unknown> {
  request_id: string
  email: string
}

/** The details of both links of a mail. A decision closes all links with its details. */
function detailsOf({ id, email }: { id: string; email: string }): RequestDetails {
  return { request_id: id, email }
}

/** The request that a confirmation with one of the two purposes decides. */
export function requestIn(confirmation: Confirmation): RequestDetails {
  return confirmation.details as RequestDetails
}

/** An access request in the form in which another server exported it. */
export const accessRequestRow = z
  .object({
    email,
    created_at: time,
    decided_at: time.nullable(),
    decision: z.enum(['approve', 'deny']).nullable(),
  })
  .refine((row) => (row.decided_at === null) === (row.decision === null))

/** All access requests of a page for an export, newest first. */
export async function* accessRequestsOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (const { id: _id, ...request } of await store.listRequests(db, [pageId])) yield request
}

/**
 * Stores the access requests of an imported page. It mails nobody; the owner answers open requests
 * in the app.
 *
 * @throws Refusal `invalid_parameter` where two are of one address
 */
export async function importAccessRequests(
  step: WriteStep,
  page: Page,
  imported: Batches<z.output<typeof accessRequestRow>>,
): Promise<void> {
  for await (const batch of imported) {
    const rows = batch.map((request) => ({
      ...request,
      id: newId('ar'),
      page_id: page.id,
      account_id: page.account_id,
    }))
    const waiting = rows.filter((row) => row.decided_at === null).toReversed()
    const items = waiting.map(({ id, created_at: at }) => {
      return { type: 'access_request', id, at, place: placeOf(page) } as const
    })
    const duplicate = 'Two of its access requests are of one address.'
    await importBatch(step, (tx) => store.insertAll(tx, rows), duplicate)
    await step((tx) => sequence.addImported(tx, page, items))
  }
}
