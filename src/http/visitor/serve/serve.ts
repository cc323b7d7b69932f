import { type Decision, decide } from '../../../features/access/index.ts'
import type { Live, Pages } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'
import type { Admission } from '../request/visit-tokens.ts'
import { isFrame, isPrefetch, isPreviewAgent, isServiceWorker } from '../request/agents.ts'
import type { Answers, Part } from './answers.ts'
import type { Gates } from '../gates/routes.ts'
import type { Opening } from '../request/page-request.ts'
import { ownerBar } from './owner-bar.ts'
import { cleanPath, type Resolved, resolve } from './resolve.ts'
import { type Target, targetOf } from '../request/target.ts'
import { grantOf, type Visitor, type Visits } from '../request/identity.ts'

export interface ServeMachines {
  pages: Pages
  views: Views
  admission: Admission
  visits: Visits
  gates: Gates
  answers: Answers
  /** Milliseconds since the epoch. */
  now_ms(): number
}

interface Known {
  target: Target
  cap: ReturnType<Admission['readCap']>
  visitor: Visitor
  now_s: number
}

/** The serving path: address → page → visitor → gate → count → bytes. */
export function createServe(machines: ServeMachines) {
  const { pages, views, admission, visits, gates, answers, now_ms } = machines

  return async function serve(request: Request): Promise<Response> {
    const { method, headers } = request
    const target = targetOf(request.url)
    const is_form = method === 'POST' && target?.cap === ''
    if (method !== 'GET' && method !== 'HEAD' && !is_form) return answers.wrongMethod()
    if (isServiceWorker(headers)) return answers.noWorkers()
    if (isPrefetch(headers)) return answers.notAhead()
    if (target === null) return answers.notFound()
    const live = pages.knownLive(target.slug) ?? (await pages.findLive(target.slug))
    if (live === undefined) return answers.notFound()

    const now_s = Math.floor(now_ms() / 1000)
    const cap = target.cap === null ? null : admission.readCap(target.cap, live.page, now_s)
    const asked =
      target.cap === null ? visits.of(request, live, now_s) : visits.byGrant(cap?.grant ?? null)
    const visitor = asked instanceof Promise ? await asked : asked
    // Its owner sees what is to come of a page that is not published.
    const is_draft = visitor.is_owner && live.release === null
    const shown = is_draft ? await pages.draftOf(live) : live
    return openFor(visitor, openingOf(request, shown, { target, cap, visitor, now_s }))
  }

  async function openFor(visitor: Visitor, opening: Opening): Promise<Response> {
    const { request, live, target } = opening
    const resolved = resolve(live, target)
    const is_agent = isPreviewAgent(request.headers)
    const part = answers.partOf(opening, resolved)
    const is_counted = !is_agent && !visitor.is_owner && counts(opening, resolved, part)
    const is_late = asksAhead(opening, is_counted) && (await isUsedUp(live.page.id))
    const visit = is_late ? { ...visitor, is_beyond_limit: true } : visitor
    const decision = decide(live.gate, visit, now_ms())
    if (decision.outcome === 'notice') return answers.notice(live, decision.notice)
    if (request.method === 'POST') return takeForm(opening, decision)
    if (is_agent && isStubbed(live)) return answers.stub(live)
    if (isLeftAlone(opening)) return answers.redirect(live, cleanPath(live, target))
    if (isVoid(opening)) return answers.notFound()
    if (decision.outcome === 'ask') return gates.ask(request, live, decision, target.path ?? '')
    if (resolved.to === 'nothing') return answers.notFound()
    if (resolved.to === 'redirect') return answers.redirect(live, resolved.location)
    const about = { limited: opening.is_limited, notify: live.gate.notify_on_view }
    if (is_counted && !(await views.count(live.page.id, about))) {
      // Refused by its limit, or deleted since it was found.
      const is_there = (await pages.findLive(target.slug)) !== undefined
      return is_there ? answers.notice(live, 'view_limit') : answers.notFound()
    }
    return answers.file(opening, resolved.file, is_counted)
  }

  function takeForm({ request, live, target }: Opening, decision: Decision) {
    if (decision.outcome !== 'ask') return answers.redirect(live, `/p/${target.slug}`, 303)
    return gates.post(request, live, decision, target.path ?? '')
  }

  function openingOf(
    request: Request,
    live: Live,
    { target, cap, visitor, now_s }: Known,
  ): Opening {
    const is_limited = live.max_views !== null
    const has_visits = is_limited || live.release?.kind === 'bundle'
    const is_admitted =
      (has_visits && admission.isAdmitted(request.headers, live.page, now_s)) || cap?.lasts === true
    return {
      request,
      live,
      target,
      visitor,
      is_limited,
      is_admitted,
      has_cap: cap !== null,
      grant: live.gate.access === 'link' && !visitor.is_owner ? null : grantOf(visitor),
      owner_bar: visitor.is_owner ? ownerBar(live, now_ms()) : null,
      now_s,
    }
  }

  async function isUsedUp(page_id: string): Promise<boolean> {
    const counter = (await views.countersOf([page_id])).get(page_id)
    return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
  }
}

/** A capability that does not hold names nothing, to whoever asks. */
function isVoid({ target, has_cap }: Opening): boolean {
  return target.cap !== null && !has_cap
}

/** Behind no gate, the count that follows keeps the limit itself: nothing is asked ahead. */
function asksAhead({ live, is_limited, is_admitted }: Opening, is_counted: boolean): boolean {
  return is_limited && !is_admitted && !(is_counted && live.gate.access === 'link')
}

/**
 * One opening of the page's document, by whoever was not counted for this visit before. Frames and
 * later parts of a file belong to an opening elsewhere, except that behind a view limit nothing is
 * taken on trust.
 */
function counts(
  { request, live, is_limited, is_admitted }: Opening,
  resolved: Resolved,
  part: Part,
): boolean {
  if (request.method === 'HEAD' || resolved.to !== 'file' || !resolved.is_document) return false
  const { headers } = request
  if (live.release!.kind === 'bundle') {
    return !is_admitted && (is_limited || !isFrame(headers))
  }
  if (part === 'none') return false
  if (part === 'later') return is_limited && !is_admitted
  return is_limited || !isFrame(headers)
}

/** Agents that preview links get no content where content has a price. */
function isStubbed({ page, max_views }: Live): boolean {
  const { access } = page.settings
  return access !== 'private' && (access !== 'link' || max_views !== null)
}

/** A capability is for what a page loads: as an address of its own it leads to the page. */
function isLeftAlone({ request, target }: Opening): boolean {
  return target.cap !== null && request.headers.get('sec-fetch-dest') === 'document'
}
