import { decide, type Visit } from '../../features/access/index.ts'
import type { Live, Pages } from '../../features/pages/index.ts'
import type { Views } from '../../features/views/index.ts'
import type { Admission, Grant } from './admission.ts'
import { isContinuation, isFrame, isPrefetch, isPreviewAgent, isServiceWorker } from './agents.ts'
import type { Answers } from './answers.ts'
import { cleanPath, type Resolved, resolve } from './resolve.ts'
import { type Target, targetOf } from './target.ts'

export interface ServeMachines {
  pages: Pages
  views: Views
  admission: Admission
  answers: Answers
  /** Milliseconds since the epoch. */
  now_ms(): number
}

/** One request, once its page is known. */
export interface Opening {
  request: Request
  live: Live
  target: Target
  is_limited: boolean
  /** Part of a visit that was counted before. */
  is_admitted: boolean
  /** Addressed by a capability that holds. */
  has_cap: boolean
  /** What a gate let the visitor in by: passed on to what the page loads. */
  grant: Grant | null
  /** For the signed-in owner: why visitors cannot open the page. */
  owner_bar: string | null
  now_s: number
}

const STRANGER: Visit = {
  is_owner: false,
  email: null,
  is_signed_in: false,
  gave_password: false,
  is_beyond_limit: false,
  isPersonalDomain: () => false,
}

/** The serving path: address → page → gate → count → bytes. */
export function createServe({ pages, views, admission, answers, now_ms }: ServeMachines) {
  return async function serve(request: Request): Promise<Response> {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return answers.wrongMethod()
    if (isServiceWorker(headers)) return answers.noWorkers()
    if (isPrefetch(headers)) return answers.notAhead()
    const target = targetOf(request.url)
    if (target === null) return answers.notFound()
    const live = pages.knownLive(target.slug) ?? (await pages.findLive(target.slug))
    if (live === undefined) return answers.notFound()

    const opening = openingOf(request, live, target)
    const resolved = resolve(live, target)
    const is_agent = isPreviewAgent(headers)
    const is_counted = !is_agent && counts(opening, resolved)
    const is_late = asksAhead(opening, is_counted) && (await isUsedUp(live.page.id))
    const visit = { ...visitOf(opening), is_beyond_limit: is_late }
    const decision = decide(live.gate, visit, now_ms())
    if (decision.outcome === 'notice') return answers.notice(live, decision.notice)
    if (is_agent && isStubbed(live)) return answers.stub(live)
    if (decision.outcome === 'ask') return answers.shut(live)
    if (resolved.to === 'nothing' || isVoid(opening)) return answers.notFound()
    if (isLeftAlone(opening)) return answers.redirect(live, cleanPath(live, target))
    if (resolved.to === 'redirect') return answers.redirect(live, resolved.location)
    if (is_counted && !(await views.count(live.page.id, opening.is_limited))) {
      return answers.notice(live, 'view_limit')
    }
    return answers.file(opening, resolved.file, is_counted)
  }

  function openingOf(request: Request, live: Live, target: Target): Opening {
    const now_s = Math.floor(now_ms() / 1000)
    const is_limited = live.max_views !== null
    const has_visits = is_limited || live.release?.kind === 'bundle'
    const cap = target.cap === null ? null : admission.readCap(target.cap, live.page, now_s)
    const is_admitted =
      (has_visits && admission.isAdmitted(request.headers, live.page, now_s)) || cap?.lasts === true
    const has_cap = cap !== null
    const grant = cap?.grant ?? null
    const facts = { request, live, target, is_limited, is_admitted, has_cap, grant, now_s }
    return { ...facts, owner_bar: null }
  }

  async function isUsedUp(page_id: string): Promise<boolean> {
    const counter = (await views.countersOf([page_id])).get(page_id)
    return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
  }
}

/** A capability stands for the gate that gave it, and the gate is asked again with what it says. */
function visitOf({ grant }: Opening): Visit {
  if (grant === null) return STRANGER
  const { emails, gave_password } = grant
  return { ...STRANGER, email: emails[0] ?? null, gave_password }
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
function counts({ request, live, is_limited, is_admitted }: Opening, resolved: Resolved): boolean {
  if (request.method === 'HEAD' || resolved.to !== 'file' || !resolved.is_document) return false
  const { headers } = request
  if (live.release!.kind === 'bundle') {
    return !is_admitted && (is_limited || !isFrame(headers))
  }
  if (isContinuation(headers) && resolved.file.html === null) return is_limited && !is_admitted
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
