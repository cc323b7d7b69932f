import { type Decision, decide } from '../../../features/access/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
import type { Gates } from '../gates/routes.ts'
import { isFrame, isPrefetch, isPreviewAgent, isServiceWorker } from '../request/agents.ts'
import { grantOf, type Identities, type VisitorIdentity } from '../request/identity.ts'
import type { PageRequest } from '../request/page-request.ts'
import { type Target, targetOf } from '../request/target.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Answers, Part } from './answers.ts'
import { ownerBar } from './owner-bar.ts'
import { cleanPath, type Resolved, resolve } from './resolve.ts'

export interface ServeDeps {
  pages: Pages
  views: Views
  visitTokens: VisitTokens
  identities: Identities
  gates: Gates
  answers: Answers
  /** Milliseconds since the epoch. */
  nowMs(): number
}

interface Known {
  target: Target
  cap: ReturnType<VisitTokens['readCap']>
  visitor: VisitorIdentity
  nowS: number
}

/** The serving path: address → page → visitor → gate → count → bytes. */
export function createServe(deps: ServeDeps) {
  const { pages, views, visitTokens, identities, gates, answers, nowMs } = deps

  return async function serve(request: Request): Promise<Response> {
    const { method, headers } = request
    const target = targetOf(request.url)
    const isForm = method === 'POST' && target?.cap === ''
    if (method !== 'GET' && method !== 'HEAD' && !isForm) return answers.wrongMethod()
    if (isServiceWorker(headers)) return answers.noWorkers()
    if (isPrefetch(headers)) return answers.notAhead()
    if (target === null) return answers.notFound()
    const live = pages.cachedPage(target.slug) ?? (await pages.findPublished(target.slug))
    if (live === undefined) return answers.notFound()

    const nowS = Math.floor(nowMs() / 1000)
    const cap = target.cap === null ? null : visitTokens.readCap(target.cap, live.page, nowS)
    const asked =
      target.cap === null
        ? identities.of(request, live, nowS)
        : identities.byGrant(cap?.grant ?? null)
    const visitor = asked instanceof Promise ? await asked : asked
    // Its owner sees what is to come of a page that is not published.
    const isDraft = visitor.is_owner && live.release === null
    const shown = isDraft ? await pages.draftOf(live) : live
    return openFor(visitor, openingOf(request, shown, { target, cap, visitor, nowS }))
  }

  async function openFor(visitor: VisitorIdentity, opening: PageRequest): Promise<Response> {
    const { request, live, target } = opening
    const resolved = resolve(live, target)
    const isAgent = isPreviewAgent(request.headers)
    const part = answers.partOf(opening, resolved)
    const isCounted = !isAgent && !visitor.is_owner && counts(opening, resolved, part)
    const isLate = asksAhead(opening, isCounted) && (await isUsedUp(live.page.id))
    const visit = isLate ? { ...visitor, isBeyondLimit: true } : visitor
    const decision = decide(live.gate, visit, nowMs())
    if (decision.outcome === 'notice') return answers.notice(live, decision.notice)
    if (request.method === 'POST') return takeForm(opening, decision)
    if (isAgent && isStubbed(live)) return answers.stub(live)
    if (isLeftAlone(opening)) return answers.redirect(live, cleanPath(live, target))
    if (isVoid(opening)) return answers.notFound()
    if (decision.outcome === 'ask') return gates.ask(request, live, decision, target.path ?? '')
    if (resolved.to === 'nothing') return answers.notFound()
    if (resolved.to === 'redirect') return answers.redirect(live, resolved.location)
    const about = { limited: opening.isLimited, notify: live.gate.notify_on_view }
    if (isCounted && !(await views.count(live.page.id, about))) {
      // Refused by its limit, or deleted since it was found.
      const isThere = (await pages.findPublished(target.slug)) !== undefined
      return isThere ? answers.notice(live, 'view_limit') : answers.notFound()
    }
    return answers.file(opening, resolved.file, isCounted)
  }

  function takeForm({ request, live, target }: PageRequest, decision: Decision) {
    if (decision.outcome !== 'ask') return answers.redirect(live, `/p/${target.slug}`, 303)
    return gates.post(request, live, decision, target.path ?? '')
  }

  function openingOf(
    request: Request,
    live: PublishedPage,
    { target, cap, visitor, nowS }: Known,
  ): PageRequest {
    const isLimited = live.max_views !== null
    const hasVisits = isLimited || live.release?.kind === 'bundle'
    const isAdmitted =
      (hasVisits && visitTokens.isAdmitted(request.headers, live.page, nowS)) || cap?.lasts === true
    return {
      request,
      live,
      target,
      visitor,
      isLimited,
      isAdmitted,
      hasCap: cap !== null,
      grant: live.gate.access === 'link' && !visitor.is_owner ? null : grantOf(visitor),
      ownerBar: visitor.is_owner ? ownerBar(live, nowMs()) : null,
      nowS,
    }
  }

  async function isUsedUp(pageId: string): Promise<boolean> {
    const counter = (await views.countersOf([pageId])).get(pageId)
    return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
  }
}

/** A capability that does not hold names nothing, to whoever asks. */
function isVoid({ target, hasCap }: PageRequest): boolean {
  return target.cap !== null && !hasCap
}

/** Behind no gate, the count that follows keeps the limit itself: nothing is asked ahead. */
function asksAhead({ live, isLimited, isAdmitted }: PageRequest, isCounted: boolean): boolean {
  return isLimited && !isAdmitted && !(isCounted && live.gate.access === 'link')
}

/**
 * One opening of the page's document, by whoever was not counted for this visit before. Frames and
 * later parts of a file belong to an opening elsewhere, except that behind a view limit nothing is
 * taken on trust.
 */
function counts(
  { request, live, isLimited, isAdmitted }: PageRequest,
  resolved: Resolved,
  part: Part,
): boolean {
  if (request.method === 'HEAD' || resolved.to !== 'file' || !resolved.isDocument) return false
  const { headers } = request
  if (live.release!.kind === 'bundle') {
    return !isAdmitted && (isLimited || !isFrame(headers))
  }
  if (part === 'none') return false
  if (part === 'later') return isLimited && !isAdmitted
  return isLimited || !isFrame(headers)
}

/** Agents that preview links get no content where content has a price. */
function isStubbed({ page, max_views: maxViews }: PublishedPage): boolean {
  const { access } = page.settings
  return access !== 'private' && (access !== 'link' || maxViews !== null)
}

/** A capability is for what a page loads: as an address of its own it leads to the page. */
function isLeftAlone({ request, target }: PageRequest): boolean {
  return target.cap !== null && request.headers.get('sec-fetch-dest') === 'document'
}
