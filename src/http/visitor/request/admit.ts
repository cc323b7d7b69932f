import {
  admittedEmail,
  type Decision,
  decide,
  type Notice,
  open,
} from '../../../features/access/index.ts'
import type { OpenPage, Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Viewers } from '../../../features/viewers/index.ts'
import type { Views } from '../../../features/views/index.ts'
import { pageSuspended } from '../../../model/account.ts'
import { pageGone, type Refusal, refuse } from '../../../model/errors.ts'
import type { Admission } from '../../../model/page/admission.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Participant, Viewer } from '../../../model/viewer.ts'
import { type Identities, participantOf, requiresSignIn } from './identity.ts'
import type { ViewerToken } from './viewer-tokens.ts'

/** As long as a frame token, so that the last viewer within a view limit has time to respond. */
const LAST_VIEW_MS = 12 * 60 * 60 * 1000

export interface AdmitDeps {
  pages: Pages
  views: Views
  viewers: Viewers
  identities: Identities
  nowMs(): number
}

export interface Admitted {
  page: Page
  openPage: OpenPage
  /** Identified by an address only if the gate asks for one. */
  viewer: Viewer
  /** Identified by any address that this browser has confirmed. */
  participant: Participant
}

/**
 * Admits a viewer to the page of their token. The access rule decides again, on the page as it is
 * now and with what the viewer had proved when the token was issued.
 *
 * @throws Refusal `stale`, `gone`, `not_published`, `expired`, `link_closed` or `view_limit`
 */
export type Admit = (token: ViewerToken) => Promise<Admitted>

export function createAdmit(deps: AdmitDeps): Admit {
  const { pages, views, viewers, identities, nowMs } = deps

  async function isBeyondLimit({ page, max_views }: PublishedPage, givenS: number) {
    const isRecent = givenS * 1000 + LAST_VIEW_MS > nowMs()
    return max_views !== null && !isRecent && (await views.isLimitReached(page.id))
  }

  return async (token) => {
    const publishedPage = await pages.findPublishedById(token.page_id)
    if (publishedPage === undefined) throw pageGone()
    const { page, gate } = publishedPage
    const visitor = await identities.byClaims(token.grant, page)
    const facts = {
      ...visitor,
      // Where signing in is required, only the account's own address counts. It is the first.
      emails: requiresSignIn(page) ? visitor.emails.slice(0, 1) : visitor.emails,
      // A password counts while the page's access is the same as when it was entered.
      gave_password: visitor.gave_password && token.access_epoch === page.access_epoch,
      isBeyondLimit: await isBeyondLimit(publishedPage, token.given_s),
    }
    const decision = decide(gate, facts, nowMs())
    assertOpen(decision)
    if (!gate.is_published) throw CLOSED.not_published()
    const openPage = await pages.contentOf(open(publishedPage, decision))
    const email = admittedEmail(gate, facts)
    const { device } = token
    const { link_id: linkId } = visitor
    const viewer = { ...viewers.viewerOf(page, email === null ? { device } : { email }), linkId }
    const participant = { ...participantOf(viewers, { publishedPage, facts, device }), linkId }
    return { page, openPage, viewer, participant }
  }
}

/** The token was issued before the page's access changed, or too long ago. */
export function stale() {
  const why = 'This page was opened too long ago, or its owner has changed who may open it.'
  return refuse.forbidden('stale', `${why} Copy what you wrote, reload and send again.`)
}

function assertOpen(decision: Decision): asserts decision is Admission {
  if (decision.outcome === 'notice') throw CLOSED[decision.notice]()
  if (decision.outcome === 'ask') throw stale()
}

const CLOSED = {
  not_published: () =>
    refuse.notFound('not_published', 'This page is not published: it takes no answers now.'),
  taken_down: () =>
    refuse.notFound('not_published', 'This page was taken down: it takes no answers now.'),
  suspended: pageSuspended,
  expired: () => refuse.notFound('expired', 'This link has expired: it takes no answers any more.'),
  link_closed: () =>
    refuse.notFound('link_closed', 'The link that opened this page has ended: ask for a new one.'),
  view_limit: () =>
    refuse.notFound('view_limit', 'This link is closed: it takes no answers any more.'),
} satisfies Record<Notice, () => Refusal>
