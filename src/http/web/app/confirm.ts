import type { Hono, HonoRequest } from 'hono'
import { SIGN_IN } from '../../../features/sessions/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import type { Confirmation } from '../../../model/confirmation.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { sha256 } from '../../../platform/ids.ts'
import {
  CODES_OFF,
  type ConfirmationActions,
  type ConfirmationOutcome,
  type Elsewhere,
  WRONG_CODE,
} from '../../kit/confirmation-actions.ts'
import type { AppContext } from './context.ts'
import {
  CODE_FORM,
  confirmPage,
  donePage,
  isRetryable,
  linkClosedResponse,
  pageResponse,
  redirectResponse,
  refusalParts,
  renewedLinkPage,
  signInAsPage,
  usedLinkPage,
} from './pages.ts'
import { codeResponse, SIGN_IN_FORM } from './sign-in.ts'

type ConfirmContext = AppContext & { actions: ConfirmationActions }

interface LinkRequest {
  token: string
  request: Request
}

/** Redeems the links and codes of all mails, and runs the action of their purpose. */
export function confirmRoutes(app: AppContext, routes: Hono, actions: ConfirmationActions): void {
  const context = { ...app, actions }
  routes.get('/confirm/:token', ({ req }) => showLink(context, linkOf(req)))
  routes.post('/confirm/:token', ({ req }) => redeemLink(context, linkOf(req)))
  routes.post('/confirm/:token/renew', ({ req }) => renewLink(context, linkOf(req)))
  // A reload of what tells of the mail sends nothing again.
  routes.get('/link-sent', ({ req }) => {
    const isSentBefore = req.query('before') !== undefined
    return pageResponse(req.raw, { body: renewedLinkPage(app, isSentBefore) })
  })
  routes.get('/confirm-code', ({ req }) => codeResponse(context, req.raw, {}))
  routes.post('/confirm-code', ({ req }) => redeemCode(context, req.raw))
}

function linkOf(req: HonoRequest): LinkRequest {
  return { token: req.param('token')!, request: req.raw }
}

function actionOf({ actions }: ConfirmContext, { purpose }: Confirmation) {
  return Object.hasOwn(actions, purpose) ? actions[purpose] : undefined
}

/** A personal link, also where it was used or has expired. Null for any other. */
async function personalOf(context: ConfirmContext, { token, request }: LinkRequest) {
  const { confirmations } = context
  const confirmation = await confirmations.recall(token)
  const personal = confirmation && actionOf(context, confirmation)?.personal
  if (!confirmation || !personal) return null
  const isOver = (await confirmations.peek(token)) === null
  const elsewhere = await personal.elsewhere({ confirmation, request, isOver })
  return { confirmation, personal, isOver, elsewhere }
}

function lead(context: ConfirmContext, request: Request, to: Elsewhere): Response {
  if ('path' in to) return redirectResponse(to.path)
  const { signInAs: email, next } = to
  return context.formPage(request, {
    action: SIGN_IN_FORM,
    body: (formToken) => signInAsPage(context, { email, next, formToken }),
  })
}

/** The page with the button of a link, or where a personal link leads to. */
async function showLink(
  context: ConfirmContext,
  link: LinkRequest,
  error?: string,
): Promise<Response> {
  const { token, request } = link
  const personal = await personalOf(context, link)
  if (personal?.elsewhere) return lead(context, request, personal.elsewhere)
  if (personal?.isOver) {
    const body = (formToken: string) => usedLinkPage(context, { token, formToken })
    return context.formPage(request, { action: renewalForm(token), body, status: 410 })
  }
  const confirmation = await context.confirmations.peek(token)
  const action = confirmation === null ? undefined : actionOf(context, confirmation)
  if (confirmation === null || action === undefined) return linkClosedResponse(context, request)
  const description = await action.describe(confirmation)
  return context.formPage(request, {
    action: linkForm(token),
    body: (formToken) => confirmPage(context, { token, description, formToken, error }),
    status: error === undefined ? 200 : 403,
  })
}

/** @returns null if the purpose has no action */
async function runAction(
  context: ConfirmContext,
  tx: Tx,
  { confirmation, request }: { confirmation: Confirmation; request: Request },
): Promise<ConfirmationOutcome | null> {
  const action = actionOf(context, confirmation)
  if (action === undefined) return null
  const { next, cookies, isProved } = await action.act(tx, confirmation, request)
  if (isProved === false) return { next, cookies }
  const browser = context.browserOf(request)
  const browserCookie = context.knownBrowsers.cookie(request, browser, confirmation.email)
  return { next, cookies: [...cookies, browserCookie] }
}

function outcomeResponse(
  context: ConfirmContext,
  request: Request,
  outcome: ConfirmationOutcome | null,
): Response {
  if (outcome === null) return linkClosedResponse(context, request)
  const { next, cookies } = outcome
  if (typeof next === 'string') return redirectResponse(next, cookies)
  return pageResponse(request, { body: donePage(context, next), cookies })
}

async function redeemCode(context: ConfirmContext, request: Request): Promise<Response> {
  const { confirmations, throttles } = context
  const { form, assertFor } = await context.readForm(request)
  const browser = context.browserOf(request)
  function showFormAgain(error: string, status: number, headers = {}): Response {
    const email = parseEmail(form('email'))
    return codeResponse(context, request, { email, error, status, headers, browser })
  }
  const address = context.addressOf(request)
  try {
    assertFor(CODE_FORM)
    await throttles.assert(LIMITS.code, address)
  } catch (err) {
    if (!isRetryable(err)) throw err
    const { status, headers } = refusalParts(err)
    return showFormAgain(err.message, status, headers)
  }
  const input = { browser, address, purpose: SIGN_IN, page_id: null, code: form('code') }
  const attempt = await confirmations.redeemCode(input, (tx, confirmation) =>
    runAction(context, tx, { confirmation, request }),
  )
  if (attempt.outcome === 'right') return outcomeResponse(context, request, attempt.result)
  if (attempt.outcome === 'off') return showFormAgain(CODES_OFF, 429)
  return showFormAgain(WRONG_CODE, 400)
}

/**
 * @returns null unless the link was used a moment ago, for an action with a page about its result
 */
async function outcomeOfFirstPress(
  context: ConfirmContext,
  token: string,
): Promise<ConfirmationOutcome | null> {
  const confirmation = await context.confirmations.findJustUsed(token)
  const next = confirmation && (await actionOf(context, confirmation)?.describeDone?.(confirmation))
  return next ? { next, cookies: [] } : null
}

async function redeemLink(context: ConfirmContext, link: LinkRequest): Promise<Response> {
  const { token, request } = link
  const { assertFor } = await context.readForm(request)
  try {
    assertFor(linkForm(token))
  } catch (err) {
    if (!isRetryable(err)) throw err
    return showLink(context, link, err.message)
  }
  const personal = await personalOf(context, link)
  if (personal?.elsewhere) return lead(context, request, personal.elsewhere)
  const outcome = await context.database.write(async (tx) => {
    const confirmation = await context.confirmations.redeem(tx, token)
    return confirmation && runAction(context, tx, { confirmation, request })
  }, 'freeing')
  if (personal !== null && outcome === null) return showLink(context, link)
  return outcomeResponse(context, request, outcome ?? (await outcomeOfFirstPress(context, token)))
}

async function renewLink(context: ConfirmContext, link: LinkRequest): Promise<Response> {
  const { token, request } = link
  const { assertFor } = await context.readForm(request)
  assertFor(renewalForm(token))
  const personal = await personalOf(context, link)
  if (personal === null) return linkClosedResponse(context, request)
  if (personal.elsewhere !== null || !personal.isOver) return showLink(context, link)
  const isSentBefore = !(await personal.personal.renew(personal.confirmation, request))
  return redirectResponse(`/app/link-sent${isSentBefore ? '?before' : ''}`)
}

/** The action of a link's form. It has a hash of the link's token instead of the token. */
function linkForm(token: string): string {
  return `confirm ${sha256(token)}`
}

function renewalForm(token: string): string {
  return `renew ${sha256(token)}`
}
