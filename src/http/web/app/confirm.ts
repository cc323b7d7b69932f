import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Confirmation } from '../../../model/confirmation.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { sha256 } from '../../../platform/secrets.ts'
import type {
  ConfirmationAction,
  ConfirmationActions,
  ConfirmationOutcome,
} from '../../kit/confirmation-actions.ts'
import type { KnownBrowsers } from '../../kit/known-browsers.ts'
import { CODE_FORM, type Forms } from './forms.ts'
import {
  checkMailPage,
  confirmPage,
  donePage,
  isRetryable,
  linkClosedPage,
  type PageContext,
  pageResponse,
  redirectResponse,
  retryHeaders,
  statusOf,
} from './pages.ts'
import type { RateLimits } from './sign-in.ts'

const WRONG_CODE = 'This code is not right, or no longer valid. Use the code of the newest mail.'
const CODES_OFF =
  'Too many wrong codes came in, so codes are off for now. The link of the mail still works.'

export interface ConfirmDeps {
  database: Database
  confirmations: Confirmations
  actions: ConfirmationActions
  forms: Forms
  rateLimits: RateLimits
  knownBrowsers: KnownBrowsers
  /** The client address that wrong codes are counted for. */
  addressOf(request: Request): string
  page: PageContext
}

/** Redeems the links and codes of all mails, and runs the action of their purpose. */
export function createConfirm(deps: ConfirmDeps) {
  const { database, confirmations, actions, forms, rateLimits, knownBrowsers, addressOf, page } =
    deps

  function linkClosed(request: Request): Response {
    return pageResponse(request, { body: linkClosedPage(page), status: 410 })
  }

  function actionOf({ purpose }: Confirmation): ConfirmationAction | undefined {
    return Object.hasOwn(actions, purpose) ? actions[purpose] : undefined
  }

  async function show(token: string, request: Request, error?: string): Promise<Response> {
    const confirmation = await confirmations.peek(token)
    const action = confirmation === null ? undefined : actionOf(confirmation)
    if (confirmation === null || action === undefined) return linkClosed(request)
    const description = await action.describe(confirmation)
    const browser = forms.browserOf(request)
    const formToken = browser.formToken(linkForm(token))
    const body = confirmPage(page, { token, description, formToken, error })
    const status = error === undefined ? 200 : 403
    return pageResponse(request, { body, status, cookies: [browser.cookie] })
  }

  /** @returns null if the purpose has no action */
  async function runAction(
    tx: Tx,
    { confirmation, request }: { confirmation: Confirmation; request: Request },
  ): Promise<ConfirmationOutcome | null> {
    const action = actionOf(confirmation)
    if (action === undefined) return null
    const { next, cookies } = await action.act(tx, confirmation, request)
    const { id } = forms.browserOf(request)
    return { next, cookies: [...cookies, knownBrowsers.cookie(request, id, confirmation.email)] }
  }

  function respond(request: Request, outcome: ConfirmationOutcome | null): Response {
    if (outcome === null) return linkClosed(request)
    const { next, cookies } = outcome
    if (typeof next === 'string') return redirectResponse({ location: next, cookies })
    return pageResponse(request, { body: donePage(page, next), cookies })
  }

  async function redeemCode(request: Request): Promise<Response> {
    const { form, assertFor } = await forms.read(request)
    const [purpose, page_id] = [form('purpose'), form('page_id') || null]
    const browser = forms.browserOf(request)
    function showFormAgain(error: string, status: number, headers = {}): Response {
      const email = parseEmail(form('email'))
      const formToken = browser.formToken(CODE_FORM)
      const body = checkMailPage(page, { email, purpose, page_id, formToken, error })
      return pageResponse(request, { body, status, headers, cookies: [browser.cookie] })
    }
    try {
      assertFor(CODE_FORM)
      await rateLimits.assertMayTryCode(request)
    } catch (err) {
      if (!isRetryable(err)) throw err
      return showFormAgain(err.message, statusOf(err), retryHeaders(err))
    }
    const address = addressOf(request)
    const input = { browser: browser.id, address, purpose, page_id, code: form('code') }
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
    const { assertFor } = await forms.read(request)
    try {
      assertFor(linkForm(token))
    } catch (err) {
      if (!isRetryable(err)) throw err
      return show(token, request, err.message)
    }
    const outcome = await database.write(async (tx) => {
      const confirmation = await confirmations.redeem(tx, token)
      return confirmation && runAction(tx, { confirmation, request })
    }, 'freeing')
    return respond(request, outcome ?? (await outcomeOfFirstPress(token)))
  }

  return { show, redeemLink, redeemCode }
}

/** The action of a link's form. It has a hash of the link's token instead of the token. */
function linkForm(token: string): string {
  return `confirm ${sha256(token)}`
}
