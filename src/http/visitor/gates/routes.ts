import type { Access, Decision, Question } from '../../../features/access/index.ts'
import { OPEN_PAGE } from '../../../features/access/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import { LIMITS, type Throttles } from '../../../features/throttles/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { type Cookies, newBrowser } from '../../kit/cookies.ts'
import { assertTrustedWrite, formToken } from '../../kit/csrf.ts'
import { type Form, readForm } from '../../kit/form.ts'
import { documentHeaders } from '../../kit/headers.ts'
import { LAYOUT_CSP } from '../../kit/layout.ts'
import { NOTICE_CSP, notice } from '../../kit/notice.ts'
import type { GateCookies } from '../request/gate-cookies.ts'
import { encodePath } from '../request/target.ts'
import { checkMailPage, type GateView, gatePage, requestSentPage } from './pages.ts'

export interface GateDeps {
  access: Access
  confirmations: Confirmations
  pages: Pages
  throttles: Throttles
  database: Database
  secrets: Secrets
  cookies: Cookies
  gateCookies: GateCookies
  assets: Assets
  baseUrl: string
  /** Whose tries a request counts as. */
  addressOf(request: Request): string
  nowS(): number
}

type Ask = Extract<Decision, { outcome: 'ask' }>

/** One visitor before one page's gate. */
interface Caller {
  request: Request
  live: PublishedPage
  ask: Ask
  browser: string
  form: Form
}

/** What stands between a link and its content, and takes what visitors give. */
export function createGates(deps: GateDeps) {
  const { access, confirmations, pages, throttles, database, secrets, cookies, gateCookies } = deps
  const { assets, baseUrl, addressOf, nowS } = deps
  const host = new URL(baseUrl).host
  const ACTIONS: Record<string, (caller: Caller) => Promise<Response>> = {
    password: givePassword,
    email: giveEmail,
    code: giveCode,
    request: requestAccess,
  }

  function viewOf(live: PublishedPage, browser: string, path: string): GateView {
    const { slug, settings, id } = live.page
    return { slug, settings, host, assets, formToken: tokenFor(id, browser), path }
  }
  const whatFor = (pageId: string) => `gate ${pageId}`
  const tokenFor = (pageId: string, browser: string) => formToken(secrets, browser, whatFor(pageId))

  /** The gate itself: 403, never stored, and the same whether or not the file asked for exists. */
  function ask(request: Request, live: PublishedPage, { question, mayRequest }: Ask, path: string) {
    const known = cookies.browserOf(request)
    const browser = known ?? newBrowser()
    const view = viewOf(live, browser, path)
    const body = request.method === 'HEAD' ? null : gatePage(question, view, mayRequest)
    return answer(403, body, known === null ? [cookies.browser(browser)] : [])
  }

  async function post(
    request: Request,
    live: PublishedPage,
    asked: Ask,
    action: string,
  ): Promise<Response> {
    try {
      const form = await readForm(request)
      const browser = cookies.browserOf(request)
      const what = whatFor(live.page.id)
      assertTrustedWrite(request, { secrets, baseUrl, browser, token: form('token'), what })
      const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
      const caller = { request, live, ask: asked, browser: browser!, form }
      return act === undefined ? again(caller, 'There is no such form here.') : await act(caller)
    } catch (err) {
      if (err instanceof Refusal) return refused(request, live, asked, err)
      throw err
    }
  }

  function refused(
    request: Request,
    live: PublishedPage,
    asked: Ask,
    { kind, message, details }: Refusal,
  ) {
    if (kind !== 'rate_limited') {
      const browser = cookies.browserOf(request) ?? newBrowser()
      const view = { ...viewOf(live, browser, ''), error: message }
      const body = gatePage(asked.question, view, asked.mayRequest)
      return answer(403, body, [cookies.browser(browser)])
    }
    const retryAfterSeconds = Number(details?.retry_after_s ?? 60)
    const { accent } = live.page.settings
    const body = notice('too_many_tries', { host, accent, retryAfterSeconds, assets })
    const headers = { ...documentHeaders(NOTICE_CSP), 'retry-after': String(retryAfterSeconds) }
    return new Response(body, { status: 429, headers })
  }

  async function givePassword(caller: Caller): Promise<Response> {
    const { request, live, form, ask } = caller
    if (ask.question !== 'password') return goOn(caller)
    await throttles.assert(LIMITS.password, `${live.page.id} ${addressOf(request)}`)
    if (!pages.isPassword(live.page, form('password'))) {
      return again(caller, 'That is not the password.')
    }
    return goOn(caller, gateCookies.passCookie(live.page, nowS()))
  }

  async function giveEmail(caller: Caller): Promise<Response> {
    const { request, live, form, browser } = caller
    if (!asksForEmail(caller.ask.question)) return goOn(caller)
    const email = parseEmail(form('email'))
    if (email === null) return again(caller, 'Give an email address, such as ann@example.com.')
    if (access.refusesDomain(live.page, email)) return again(caller, refusedDomain(live))
    await throttles.assert(LIMITS.mail_from_address, addressOf(request))
    await throttles.assert(LIMITS.mail_to_email, email)
    await access.askToConfirm(live.page, email, browser)
    return answer(200, checkMailPage(viewOf(live, browser, form('path')), email))
  }

  async function giveCode(caller: Caller): Promise<Response> {
    const { request, live, form, browser } = caller
    if (!asksForEmail(caller.ask.question)) return goOn(caller)
    await throttles.assert(LIMITS.code, addressOf(request))
    const typed = { browser, purpose: OPEN_PAGE, page_id: live.page.id, code: form('code') }
    const confirmed = await database.write((tx) => confirmations.redeemCode(tx, typed))
    if (confirmed !== null) {
      const held = request.headers.get('cookie') ?? ''
      return goOn(caller, gateCookies.emailCookie(held, confirmed.email, nowS()))
    }
    const error = 'This code is wrong, used or too old. The newest mail has the one that works.'
    const view = { ...viewOf(live, browser, form('path')), error }
    return answer(403, checkMailPage(view, form('email')))
  }

  async function requestAccess(caller: Caller): Promise<Response> {
    const { request, live, form, browser } = caller
    if (!caller.ask.mayRequest) return again(caller, 'The owner takes no requests for this page.')
    const email = parseEmail(form('email'))
    if (email === null) return again(caller, 'Give an email address, such as ann@example.com.')
    await throttles.assert(LIMITS.mail_from_address, addressOf(request))
    await throttles.assert(LIMITS.mail_to_email, email)
    await access.requestAccess(live.page, email)
    return answer(200, requestSentPage(viewOf(live, browser, '')))
  }

  function again({ live, ask, browser, form }: Caller, error: string): Response {
    const value = ask.question === 'password' ? '' : form('email')
    const view = { ...viewOf(live, browser, form('path')), error, value }
    return answer(403, gatePage(ask.question, view, ask.mayRequest))
  }

  /** On to the page, which asks everything again: to a file that it has, and nowhere else. */
  function goOn({ live, form }: Caller, cookie?: string): Response {
    const path = form('path')
    const isOwn = live.files.has(path.endsWith('/') ? `${path}index.html` : path)
    const rest = isOwn && live.release?.kind === 'bundle' ? `/${encodePath(path)}` : ''
    const { 'content-type': _type, ...headers } = documentHeaders(NOTICE_CSP)
    const response = new Response(null, { status: 303, headers })
    response.headers.set('location', `/p/${live.page.slug}${rest}`)
    if (cookie !== undefined) response.headers.append('set-cookie', cookie)
    return response
  }

  return { ask, post }
}
export type Gates = ReturnType<typeof createGates>

function asksForEmail(question: Question): boolean {
  return question === 'email' || question === 'another_email'
}

function refusedDomain({ page }: PublishedPage): string {
  return page.settings.business_only
    ? 'Use your work address: the owner lets no personal mail in.'
    : 'The owner lets in addresses of certain domains, and this is not one of them.'
}

function answer(status: number, body: string | null, cookies: string[] = []): Response {
  const response = new Response(body, { status, headers: documentHeaders(LAYOUT_CSP) })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
