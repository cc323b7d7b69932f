import {
  type Access,
  admittedEmail,
  type Decision,
  OPEN_PAGE,
  type Question,
} from '../../../features/access/index.ts'
import type { Agreements } from '../../../features/agreements/index.ts'
import type { Analytics } from '../../../features/analytics/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Pages, PublishedPage } from '../../../features/pages/index.ts'
import {
  createPasswordGuard,
  LIMITS,
  type MailBudget,
  type Throttles,
} from '../../../features/throttles/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { charactersIn, plainLine } from '../../../model/plain-text.ts'
import type { Site } from '../../../model/site.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Checks } from '../../../platform/checks.ts'
import { isForeignKeyViolation } from '../../../platform/db/errors.ts'
import { atFixedTime } from '../../../platform/promises.ts'
import type { Services } from '../../../platform/services.ts'
import type { Assets } from '../../kit/assets.ts'
import { type BodyReader, type Form, isOverload } from '../../kit/body.ts'
import { CODES_OFF, EMAIL_NEEDED, WRONG_CODE } from '../../kit/confirmation-actions.ts'
import { type Cookies, type KnownBrowsers, newBrowser } from '../../kit/cookies.ts'
import { assertTrustedWrite, formToken } from '../../kit/csrf.ts'
import { layoutPolicy } from '../../kit/layout.ts'
import { NOTICE_CSP } from '../../kit/notice.ts'
import { buildResponse, documentHeaders, documentResponse, redirectTo } from '../../kit/response.ts'
import type { GateCookies } from '../request/gate-cookies.ts'
import type { VisitorIdentity } from '../request/identity.ts'
import { encodePath } from '../request/paths.ts'
import { agreementGate, createAgreementFile } from './agreement.ts'
import { checkMailPage, type GateView, gatePage, requestSentPage } from './pages.ts'

export interface GateDeps extends Pick<Services, 'secrets' | 'baseUrl'> {
  access: Access
  agreements: Pick<Agreements, 'version' | 'accept'>
  analytics: Pick<Analytics, 'countRefusal'>
  confirmations: Confirmations
  pages: Pages
  throttles: Throttles
  mailBudget: MailBudget
  cookies: Cookies
  gateCookies: GateCookies
  knownBrowsers: KnownBrowsers
  notices: {
    notFound(request: Request): Promise<Response>
    tooManyTries(request: Request, refusal: Refusal, page: PublishedPage): Response
  }
  assets: Assets
  checks: Pick<Checks, 'sendsMails'>
  site: Site
  bodyReader: BodyReader
  addressOf(request: Request): string
  nowMs(): number
}

/** A page's gate for one visitor. */
export interface ClosedGate {
  publishedPage: PublishedPage
  ask: Extract<Decision, { outcome: 'ask' }>
  visitor: VisitorIdentity
  /** The requested path of the deck, or the action of the submitted form. */
  path: string
}

/** A gate's form, submitted by the browser that we sent it to. */
interface Submission extends ClosedGate {
  request: Request
  browser: string
  form: Form
}

/** Shows gates, and handles the forms on them. */
export function createGates(deps: GateDeps) {
  const { secrets, cookies, baseUrl, notices } = deps
  const answers = createAnswers(deps)
  const actions: Record<string, Action> = createActions(deps, answers)

  async function submit(request: Request, received: Promise<Form>, gate: ClosedGate) {
    try {
      const form = await received
      const browser = cookies.browserOf(request)
      const action = formPurpose(gate.publishedPage.page.id)
      assertTrustedWrite(request, { secrets, baseUrl, browser, token: form('token'), action })
      const submission = { ...gate, request, browser: browser!, form }
      const act = Object.hasOwn(actions, gate.path) ? actions[gate.path] : undefined
      if (act === undefined)
        return await answers.showAgain(submission, 'There is no such form here.')
      return await act(submission)
    } catch (err) {
      // The page was deleted meanwhile.
      if (isForeignKeyViolation(err)) return await notices.notFound(request)
      // A refusal to receive the body is not about the form: the dispatcher answers it.
      if (!(err instanceof Refusal) || isOverload(err)) throw err
      return await answers.showRefusal(request, gate, err)
    }
  }

  return { show: answers.show, submit, status, agreementFile: createAgreementFile(deps) }
}
export type Gates = ReturnType<typeof createGates>

/** The answer of the rule, for a page or a preview of it. */
type AnyDecision = Decision | Decision<'preview'>
type Answers = ReturnType<typeof createAnswers>
type Action = (submission: Submission) => Promise<Response>
/** What a gate shows beside its question. */
type ViewParts = Pick<GateView, 'path' | 'previewPath' | 'error' | 'value'>
interface CheckMail {
  email: string
  isSentBefore: boolean
  status?: number
  error?: string
}

function createAnswers(deps: GateDeps) {
  const { agreements, analytics, cookies, secrets, assets, checks, site, notices } = deps
  function viewOf({ page, brand }: PublishedPage, browser: string, parts: ViewParts): GateView {
    const { slug, settings, id } = page
    const token = formToken(secrets, browser, formPurpose(id))
    const { sendsMails } = checks
    return { slug, settings, brand, site, assets, sendsMails, formToken: token, ...parts }
  }

  /** 403, never cached, and the same whether or not the requested file exists. */
  async function gateResponse(
    request: Request,
    { publishedPage, ask, visitor }: ClosedGate,
    { browser, newCookies = [], ...parts }: ViewParts & { browser: string; newCookies?: string[] },
  ): Promise<Response> {
    const script = assets.text('gate.fragment.js')
    const view = { ...viewOf(publishedPage, browser, parts), script }
    const { question } = ask
    const body =
      question === 'agreement'
        ? agreementGate(view, await agreementFor(publishedPage, visitor))
        : gatePage(question, view, ask.mayRequest)
    const csp = layoutPolicy({ script })
    return documentResponse(request, { status: 403, csp, body, cookies: newCookies })
  }

  async function agreementFor({ page, gate }: PublishedPage, visitor: VisitorIdentity) {
    const { version, type, data } = await agreements.version(page, gate.agreement!.version)
    const text = type === 'text' ? Buffer.from(data).toString() : null
    return { version, text, email: admittedEmail(gate, visitor) }
  }

  return {
    show(request: Request, gate: ClosedGate, isPreview: boolean): Promise<Response> {
      const { id: browser, cookie } = cookies.browserFor(request)
      const previewPath = isPreview ? new URL(request.url).pathname : undefined
      const newCookies = cookie === null ? [] : [cookie]
      return gateResponse(request, gate, { browser, newCookies, path: gate.path, previewPath })
    },
    showAgain(submission: Submission, error: string): Promise<Response> {
      const { request, ask, browser, form } = submission
      const field = ask.question === 'agreement' ? 'name' : 'email'
      const value = ask.question === 'password' ? '' : form(field)
      return gateResponse(request, submission, { browser, path: pathIn(form), error, value })
    },
    async showRefusal(request: Request, gate: ClosedGate, refusal: Refusal): Promise<Response> {
      const { page } = gate.publishedPage
      const { kind, message } = refusal
      if (kind !== 'rateLimited') {
        const browser = cookies.browserOf(request) ?? newBrowser()
        const newCookies = [cookies.browser(browser)]
        return gateResponse(request, gate, { browser, newCookies, path: '', error: message })
      }
      analytics.countRefusal(page.id, 'too_many_tries')
      return notices.tooManyTries(request, refusal, gate.publishedPage)
    },
    showCheckMail(
      { request, publishedPage, browser, form }: Submission,
      { email, isSentBefore, status = 200, error }: CheckMail,
    ): Response {
      const script = assets.text('gate.waiting.js')
      const view = { ...viewOf(publishedPage, browser, { path: pathIn(form), error }), script }
      const body = checkMailPage(view, { email, isSentBefore })
      return documentResponse(request, { status, csp: layoutPolicy({ script }), body })
    },
    showSent({ request, publishedPage, browser, form }: Submission): Response {
      const script = assets.text('gate.fragment.js')
      const view = { ...viewOf(publishedPage, browser, { path: pathIn(form) }), script }
      return documentResponse(request, {
        csp: layoutPolicy({ script }),
        body: requestSentPage(view),
      })
    },
  }
}

/** What each form does, by the path that it is sent to. */
function createActions(deps: GateDeps, { showAgain, showCheckMail, showSent }: Answers) {
  const { access, agreements, analytics, confirmations, pages, throttles, mailBudget } = deps
  const { gateCookies, knownBrowsers, nowMs, addressOf } = deps
  const passwords = createPasswordGuard(throttles)

  async function givePassword(submission: Submission): Promise<Response> {
    const { request, publishedPage, ask, form, visitor } = submission
    const { page } = publishedPage
    if (ask.question !== 'password') return redirectToPage(submission)
    const takeBack = await passwords.count({ page_id: page.id, address: addressOf(request) })
    if (!pages.isPassword(page, form('password'))) {
      analytics.countRefusal(page.id, 'wrong_password', visitor.link_id)
      return showAgain(submission, 'That is not the password.')
    }
    await takeBack()
    return redirectOnward(submission, gateCookies.passCookies(request, page, nowMs()))
  }

  async function giveEmail(submission: Submission): Promise<Response> {
    const { request, publishedPage, ask, form, browser, visitor } = submission
    if (!asksForEmail(ask.question)) return redirectToPage(submission)
    const email = parseEmail(form('email'))
    if (email === null) return showAgain(submission, EMAIL_NEEDED)
    if (access.refusesDomain(publishedPage.page, email)) {
      analytics.countRefusal(publishedPage.page.id, 'refused_address', visitor.link_id)
      return showAgain(submission, refusedDomain(publishedPage))
    }
    const sender = knownBrowsers.senderOf(request, email)
    const address = addressOf(request)
    const mayMail = await mailBudget.mayMail({ scope: 'gate', address, ...sender })
    if (mayMail) {
      const place = placeIn(form) + endIn(form('fragment'))
      await atFixedTime(() => access.askToConfirm(publishedPage.page, email, browser, place))
    }
    return showCheckMail(submission, { email, isSentBefore: !mayMail })
  }

  async function giveCode(submission: Submission): Promise<Response> {
    const { request, publishedPage, ask, form, browser, visitor } = submission
    if (!asksForEmail(ask.question)) return redirectToPage(submission)
    const address = addressOf(request)
    await throttles.assert(LIMITS.code, address)
    const pageId = publishedPage.page.id
    const input = { browser, address, purpose: OPEN_PAGE, page_id: pageId, code: form('code') }
    const answer = await confirmations.redeemCode(input, async (_tx, { email }) => email)
    if (answer.outcome === 'right') {
      const email = answer.result
      const emailCookie = gateCookies.emailCookie(request, email, nowMs())
      const knownCookie = knownBrowsers.cookie(request, browser, email)
      return redirectOnward(submission, [emailCookie, knownCookie])
    }
    analytics.countRefusal(pageId, 'wrong_code', visitor.link_id)
    const [status, error] = answer.outcome === 'off' ? [429, CODES_OFF] : [403, WRONG_CODE]
    return showCheckMail(submission, { email: form('email'), isSentBefore: false, status, error })
  }

  async function requestAccess(submission: Submission): Promise<Response> {
    const { request, publishedPage, ask, form } = submission
    if (!ask.mayRequest) {
      return showAgain(submission, 'The owner takes no requests for this page.')
    }
    const email = parseEmail(form('email'))
    if (email === null) return showAgain(submission, EMAIL_NEEDED)
    await throttles.assert(LIMITS.mail_from_address, `request ${addressOf(request)}`)
    await atFixedTime(() => access.requestAccess(publishedPage.page, email))
    return showSent(submission)
  }

  async function agree(submission: Submission): Promise<Response> {
    const { request, publishedPage, ask, form, browser, visitor } = submission
    const { page, gate } = publishedPage
    if (ask.question !== 'agreement') return redirectToPage(submission)
    await throttles.assert(LIMITS.agreement, `${page.id} ${addressOf(request)}`)
    const { version } = gate.agreement!
    if (form('version') !== String(version)) return showAgain(submission, NEW_AGREEMENT)
    const name = plainLine(form('name'))
    if (name === '' || charactersIn(name) > MAX_NAME) return showAgain(submission, NAME_NEEDED)
    const email = admittedEmail(gate, visitor)
    const proof = gateCookies.proofOf(request, page, email, nowMs())
    const { link_id } = visitor
    const acceptance = { version, name, email, proof, browser, link_id }
    const isStored = await agreements.accept(page, acceptance)
    if (!isStored) return showAgain(submission, TOO_MANY_ACCEPTED)
    return redirectOnward(submission, gateCookies.agreedCookies(request, page, nowMs()))
  }

  const forms = { password: givePassword, email: giveEmail, code: giveCode, agree }
  return { ...forms, request: requestAccess }
}

/** Polled by the page that waits for a mail: 202 while an address is asked for, then 204. */
function status(decision: AnyDecision): Response {
  const code = decision.outcome === 'ask' && decision.question !== 'agreement' ? 202 : 204
  return buildResponse(null, { status: code, headers: STATUS_HEADERS, body: null })
}

const STATUS_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}
const MAX_NAME = 100
const NAME_NEEDED = `Give your name, of at most ${MAX_NAME} characters.`
const NEW_AGREEMENT = 'The owner has changed this meanwhile. Read it again before you agree.'
const TOO_MANY_ACCEPTED = 'As many people have agreed as this page can hold. Tell its owner.'

/** Binds a form token to the gate of one page. */
function formPurpose(pageId: string): string {
  return `gate ${pageId}`
}

/** A query and a fragment as addresses have them; '' of anything else, and of very long ones. */
function endIn(text: string): string {
  return /^[?#][\w~!$&'()*+,;=:@/?#.%-]{1,1000}$/.test(text) ? text : ''
}

/** Of the file that was asked for, below the page's address. */
function placeIn(form: Form): string {
  const path = pathIn(form)
  return path && `/${encodePath(path)}`
}

/** The path of the page that was asked for; '' of one whose dot segments lead out of the page. */
function pathIn(form: Form): string {
  const path = form('path')
  return /(?:^|\/)\.\.?(?:\/|$)/.test(path) ? '' : path
}

function asksForEmail(question: Question): boolean {
  return question === 'email' || question === 'another_email'
}

function refusedDomain({ page }: PublishedPage): string {
  return page.settings.business_only
    ? 'Use your work address: the owner lets in no personal addresses.'
    : 'The owner lets in addresses of certain domains, and this is not one of them.'
}

/** Redirects a visitor with a new proof to the requested address, whether or not it has a file. */
function redirectOnward({ request, publishedPage, form }: Submission, cookies: string[]): Response {
  const { search } = new URL(request.url)
  const location = `/p/${publishedPage.page.slug}${placeIn(form)}${search}`
  return redirectTo(request, { location, headers: documentHeaders(NOTICE_CSP), cookies })
}

/** Redirects a visitor without a new proof. The address must not reveal which files exist. */
function redirectToPage({ request, publishedPage }: Submission): Response {
  const location = `/p/${publishedPage.page.slug}`
  return redirectTo(request, { location, headers: documentHeaders(NOTICE_CSP) })
}
