import { z } from 'zod'
import {
  admittedEmail,
  type Decision,
  decide,
  type Notice,
} from '../../../features/access/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Receipt, Responses } from '../../../features/responses/index.ts'
import { LIMITS, type Throttles } from '../../../features/throttles/index.ts'
import type { Views } from '../../../features/views/index.ts'
import { Refusal, refuse } from '../../../model/errors.ts'
import { CONTROL_KINDS } from '../../../model/form.ts'
import type { Log } from '../../../platform/log.ts'
import { BodyTooLarge, readBody } from '../../kit/body.ts'
import { STATUS } from '../../kit/json-response.ts'
import { storageFullRefusal } from '../../kit/storage-full.ts'
import type { Identities } from '../request/identity.ts'
import type { ResponseToken, ResponseTokens } from './tokens.ts'

/** A response of 256 KiB, each character of it escaped once more, and what goes with it. */
const BODY_BYTES = 1024 * 1024
/** As long as a capability: who was let in last may take their time to answer. */
const LAST_VIEW_S = 12 * 60 * 60

const submissionBody = z.strictObject({
  token: z.string().max(64 * 1024),
  stamp: z.string().max(8 * 1024),
  id: z.string().regex(/^[\w-]{8,64}$/),
  data: z.string(),
  name: z.string().max(1000).nullish(),
  controls: z
    .array(
      z.strictObject({
        name: z.string().max(1000),
        label: z.string().max(1000).nullable(),
        kind: z.enum(CONTROL_KINDS),
      }),
    )
    .max(1000)
    .default([]),
  trap: z.string().optional(),
})
type SubmissionBody = z.output<typeof submissionBody>

export interface ResponseRouteDeps {
  pages: Pages
  views: Views
  responses: Responses
  throttles: Throttles
  identities: Identities
  credentials: ResponseTokens
  log: Log
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Whose tries a request counts as. */
  addressOf(request: Request): string
}

/**
 * What a page's form sends: `POST /~/responses`. No cookie counts here. The token in the body says
 * for which page and viewer it is, and the gate is asked again with what let that viewer in.
 */
export function createRespond(deps: ResponseRouteDeps) {
  const { pages, views, responses, throttles, identities, credentials, log, nowMs, addressOf } =
    deps

  async function take(request: Request): Promise<Receipt> {
    const given = read(await readBody(request, BODY_BYTES))
    const credential = credentials.readToken(given.token, Math.floor(nowMs() / 1000))
    const origin = credential && credentials.readStamp(credential.page_id, given.stamp)
    if (credential === null || origin === null) throw stale()
    const { page_id: pageId } = credential
    await throttles.assert(LIMITS.response_by_address, `${addressOf(request)} ${pageId}`)
    if (given.trap) throw caught()
    const { live, email } = await admit(credential)
    if (!live.release!.collects_responses) throw notCollecting()
    const who = email === null ? { device: credential.device } : { email }
    const viewer = responses.viewerOf(live.page, who)
    await throttles.assert(LIMITS.response_by_viewer, viewer.key)
    const { id, data, name = null, controls } = given
    return responses.submit(live.page, viewer, { id, data, name, controls, ...origin })
  }

  /** The page, if this viewer may open it at this moment. */
  async function admit(
    credential: ResponseToken,
  ): Promise<{ live: PublishedPage; email: string | null }> {
    const page = await pages.find(credential.page_id)
    const live = page && (pages.cachedPage(page.slug) ?? (await pages.findPublished(page.slug)))
    if (live === undefined || live.page.id !== credential.page_id) throw gone()
    const granted = await identities.byClaims(credential.grant)
    const { require_signin: requireSignin } = live.page.settings
    const visit = {
      ...granted,
      // Where signing in is asked for, only the account's address counts, which is the first.
      emails: requireSignin ? granted.emails.slice(0, 1) : granted.emails,
      // A password is proved to a page as it was; addresses are compared with the page as it is.
      gave_password: granted.gave_password && credential.access_epoch === live.page.access_epoch,
      isBeyondLimit: await isBeyondLimit(live, credential.given_s),
    }
    assertOpen(decide(live.gate, visit, nowMs()))
    if (live.release === null) throw NOTICES.not_published()
    return { live, email: admittedEmail(live.gate, visit) }
  }

  async function isBeyondLimit(
    { page, max_views: maxViews }: PublishedPage,
    givenS: number,
  ): Promise<boolean> {
    if (maxViews === null || givenS + LAST_VIEW_S > nowMs() / 1000) return false
    const counter = (await views.countersOf([page.id])).get(page.id)
    return counter === undefined || counter.views >= maxViews
  }

  return async function respond(request: Request): Promise<Response> {
    if (request.method !== 'POST') return answer(405, wrongMethod, { allow: 'POST' })
    try {
      return answer(200, { data: await take(request) })
    } catch (err) {
      const full = storageFullRefusal(err)
      if (full !== null) log.error('response not kept', { err })
      const refusal = err instanceof BodyTooLarge ? tooLarge() : (full ?? err)
      if (!(refusal instanceof Refusal)) throw err
      const { kind, code, message, details } = refusal
      const wait = details?.retry_after_s
      const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
      return answer(STATUS[kind], { error: { code, message } }, headers)
    }
  }
}

function read(bytes: Uint8Array): SubmissionBody {
  try {
    return submissionBody.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw refuse.invalid('invalid_data', 'This form sent something that cannot be read.')
  }
}

function assertOpen(decision: Decision): void {
  if (decision.outcome === 'notice') throw NOTICES[decision.notice]()
  if (decision.outcome === 'ask') throw stale()
}

/** Read by whoever opened the page: pages of an opaque origin, and our shell. */
function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after',
      'cross-origin-resource-policy': 'cross-origin',
      ...headers,
    },
  })
}

const wrongMethod = { error: { code: 'method_not_allowed', message: 'This address takes POST.' } }

const NOTICES = {
  not_published: () =>
    refuse.notFound('not_published', 'This page is not published: it takes no answers now.'),
  expired: () => refuse.notFound('expired', 'This link has expired: it takes no answers any more.'),
  view_limit: () =>
    refuse.notFound('view_limit', 'This link is closed: it takes no answers any more.'),
} satisfies Record<Notice, () => Refusal>

function gone() {
  return refuse.notFound('gone', 'This page is no longer there.')
}
function notCollecting() {
  return refuse.conflict('not_collecting', 'This page no longer takes answers.')
}
function stale() {
  return refuse.forbidden('stale', 'This page was opened too long ago. Reload it and send again.')
}
function caught() {
  return refuse.invalid('spam', 'This looks as if a program filled it in. Reload and send again.')
}
function tooLarge() {
  return refuse.tooLarge('too_large', 'This is more than one response can hold: 256 KB.')
}
