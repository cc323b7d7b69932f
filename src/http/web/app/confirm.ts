import type { Hono } from 'hono'
import { LIMITS } from '../../../features/throttles/index.ts'
import type { Confirmation } from '../../../model/confirmation.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { sha256 } from '../../../platform/ids.ts'
import type {
  ConfirmationAction,
  ConfirmationActions,
  ConfirmationOutcome,
  Elsewhere,
} from '../../kit/confirmation-actions.ts'
import { type AppContext, CODE_FORM } from './context.ts'
import {
  checkMailPage,
  confirmPage,
  donePage,
  isRetryable,
  linkClosedPage,
  pageResponse,
  redirectResponse,
  refusalParts,
  renewedLinkPage,
  signInAsPage,
  usedLinkPage,
} from './pages.ts'
import { SIGN_IN_FORM } from './sign-in.ts'

const WRONG_CODE = 'This code is not right, or no longer valid. Use the code of the newest mail.'
const CODES_OFF =
  'Too many wrong codes came in, so codes are off for now. The link of the mail still works.'

/** Redeems the links and codes of all mails, and runs the action of their purpose. */
export function confirmRoutes(context: AppContext, routes: Hono, actions: ConfirmationActions) {
  const { database, confirmations, throttles, knownBrowsers, addressOf, page, checks } = context

  function linkClosed(request: Request): Response {
    return pageResponse(request, { body: linkClosedPage(page), status: 410 })
  }

  function actionOf({ purpose }: Confirmation): ConfirmationAction | undefined {
    return Object.hasOwn(actions, purpose) ? actions[purpose] : undefined
  }

  /** A personal link, also where it was used or has expired. Null for any other. */
  async function personalOf(token: string, request: Request) {
    const confirmation = await confirmations.recall(token)
    const personal = confirmation && actionOf(confirmation)?.personal
    if (!confirmation || !personal) return null
    const isOver = (await confirmations.peek(token)) === null
    const elsewhere = await personal.elsewhere({ confirmation, request, isOver })
    return { confirmation, personal, isOver, elsewhere }
  }

  function lead(request: Request, to: Elsewhere): Response {
    if ('path' in to) return redirectResponse(to.path)
    const { signInAs: email, next } = to
    const body = (formToken: string) =>
      signInAsPage(page, { email, next, formToken, sendsMails: checks.sendsMails })
    return context.formPage(request, { action: SIGN_IN_FORM, body })
  }

  async function show(token: string, request: Request, error?: string): Promise<Response> {
    const link = await personalOf(token, request)
    if (link?.elsewhere) return lead(request, link.elsewhere)
    if (link?.isOver) {
      const body = (formToken: string) =>
        usedLinkPage(page, { token, formToken, sendsMails: checks.sendsMails })
      return context.formPage(request, { action: renewalForm(token), body, status: 410 })
    }
    const confirmation = await confirmations.peek(token)
    const action = confirmation === null ? undefined : actionOf(confirmation)
    if (confirmation === null || action === undefined) return linkClosed(request)
    const description = await action.describe(confirmation)
    return context.formPage(request, {
      action: linkForm(token),
      body: (formToken) => confirmPage(page, { token, description, formToken, error }),
      status: error === undefined ? 200 : 403,
    })
  }

  /** @returns null if the purpose has no action */
  async function runAction(
    tx: Tx,
    { confirmation, request }: { confirmation: Confirmation; request: Request },
  ): Promise<ConfirmationOutcome | null> {
    const action = actionOf(confirmation)
    if (action === undefined) return null
    const { next, cookies, isProved } = await action.act(tx, confirmation, request)
    if (isProved === false) return { next, cookies }
    const browser = context.browserOf(request)
    const recognized = knownBrowsers.cookie(request, browser, confirmation.email)
    return { next, cookies: [...cookies, recognized] }
  }

  function respond(request: Request, outcome: ConfirmationOutcome | null): Response {
    if (outcome === null) return linkClosed(request)
    const { next, cookies } = outcome
    if (typeof next === 'string') return redirectResponse(next, cookies)
    return pageResponse(request, { body: donePage(page, next), cookies })
  }

  async function redeemCode(request: Request): Promise<Response> {
    const { form, assertFor } = await context.readForm(request)
    const [purpose, page_id] = [form('purpose'), form('page_id') || null]
    const browser = context.browserOf(request)
    function showFormAgain(error: string, status: number, headers = {}): Response {
      const fields = {
        email: parseEmail(form('email')),
        purpose,
        page_id,
        error,
        sendsMails: checks.sendsMails,
      }
      const body = (formToken: string) => checkMailPage(page, { ...fields, formToken })
      return context.formPage(request, { action: CODE_FORM, body, status, headers }, browser)
    }
    const address = addressOf(request)
    try {
      assertFor(CODE_FORM)
      await throttles.assert(LIMITS.code, address)
    } catch (err) {
      if (!isRetryable(err)) throw err
      const { status, headers } = refusalParts(err)
      return showFormAgain(err.message, status, headers)
    }
    const input = { browser, address, purpose, page_id, code: form('code') }
    const tried = await confirmations.redeemCode(input, (tx, confirmation) =>
      runAction(tx, { confirmation, request }),
    )
    if (tried.outcome === 'right') return respond(request, tried.result)
    if (tried.outcome === 'off') return showFormAgain(CODES_OFF, 429)
    return showFormAgain(WRONG_CODE, 400)
  }

  /**
   * @returns null unless the link was used a moment ago, for an action with a page about its result
   */
  async function outcomeOfFirstPress(token: string): Promise<ConfirmationOutcome | null> {
    const confirmation = await confirmations.findJustUsed(token)
    const next = confirmation && (await actionOf(confirmation)?.describeDone?.(confirmation))
    return next ? { next, cookies: [] } : null
  }

  async function redeemLink(token: string, request: Request): Promise<Response> {
    const { assertFor } = await context.readForm(request)
    try {
      assertFor(linkForm(token))
    } catch (err) {
      if (!isRetryable(err)) throw err
      return show(token, request, err.message)
    }
    const link = await personalOf(token, request)
    if (link?.elsewhere) return lead(request, link.elsewhere)
    const outcome = await database.write(async (tx) => {
      const confirmation = await confirmations.redeem(tx, token)
      return confirmation && runAction(tx, { confirmation, request })
    }, 'freeing')
    if (link !== null && outcome === null) return show(token, request)
    return respond(request, outcome ?? (await outcomeOfFirstPress(token)))
  }

  async function renew(token: string, request: Request): Promise<Response> {
    const { assertFor } = await context.readForm(request)
    assertFor(renewalForm(token))
    const link = await personalOf(token, request)
    if (link === null) return linkClosed(request)
    if (link.elsewhere !== null || !link.isOver) return show(token, request)
    const isSentBefore = !(await link.personal.renew(link.confirmation, request))
    return pageResponse(request, {
      body: renewedLinkPage(page, { sendsMails: checks.sendsMails, isSentBefore }),
    })
  }

  routes.get('/confirm/:token', ({ req }) => show(req.param('token'), req.raw))
  routes.post('/confirm/:token', ({ req }) => redeemLink(req.param('token'), req.raw))
  routes.post('/confirm/:token/renew', ({ req }) => renew(req.param('token'), req.raw))
  routes.post('/confirm-code', ({ req }) => redeemCode(req.raw))
}

/** The action of a link's form. It has a hash of the link's token instead of the token. */
function linkForm(token: string): string {
  return `confirm ${sha256(token)}`
}

function renewalForm(token: string): string {
  return `renew ${sha256(token)}`
}
