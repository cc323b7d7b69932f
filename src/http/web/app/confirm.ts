import type { Confirmation } from '../../../features/confirmations/index.ts'
import { parseEmail } from '../../../model/text.ts'
import { sha256 } from '../../../platform/secrets.ts'
import type { ConfirmationAction, ConfirmationActions } from '../../kit/confirmation-actions.ts'
import { assertMayTryCode, browserOf, formOf, type Parts } from './deps.ts'
import { checkMailPage, confirmPage, linkGonePage } from './pages.ts'
import { answer, goOn, isRefusal, statusOf, waitOf } from './response.ts'
import { CODE_FORM } from './sign-in.ts'

const WRONG_CODE = 'This code is not right, or no longer good. Use that of the newest mail.'

/** The one door of every link and code that a mail carries, whatever they are for. */
export function createConfirm(parts: Parts & { purposes: ConfirmationActions }) {
  const { view, database, confirmations, purposes } = parts
  const gone = () => answer(linkGonePage(view), { status: 410 })

  function purposeOf(confirmation: Confirmation | null): ConfirmationAction | undefined {
    if (confirmation === null || !Object.hasOwn(purposes, confirmation.purpose)) return undefined
    return purposes[confirmation.purpose]
  }

  async function show(token: string, request: Request, error?: string): Promise<Response> {
    const confirmation = await confirmations.peek(token)
    const purpose = purposeOf(confirmation)
    if (confirmation === null || purpose === undefined) return gone()
    const description = await purpose.describe(confirmation)
    const browser = browserOf(parts, request)
    const formToken = browser.formToken(formOfLink(token))
    const body = confirmPage({ ...view, token, description, formToken, error })
    return answer(body, { status: error === undefined ? 200 : 403, cookies: [browser.cookie] })
  }

  async function carryOut(confirmation: Confirmation, request: Request): Promise<Response> {
    const purpose = purposeOf(confirmation)
    return purpose === undefined ? gone() : goOn(await purpose.act(confirmation, request))
  }

  async function tryCode(request: Request): Promise<Response> {
    const { form, assertFor } = await formOf(parts, request)
    const [purpose, pageId] = [form('purpose'), form('page_id') || null]
    const browser = browserOf(parts, request)
    function again(error: string, status: number, headers = {}): Response {
      const email = parseEmail(form('email'))
      const formToken = browser.formToken(CODE_FORM)
      const body = checkMailPage({ ...view, email, purpose, page_id: pageId, formToken, error })
      return answer(body, { status, headers, cookies: [browser.cookie] })
    }
    try {
      assertFor(CODE_FORM)
      await assertMayTryCode(parts, request)
    } catch (err) {
      if (!isRefusal(err, 'stale_form') && !isRefusal(err, 'rate_limited')) throw err
      return again(err.message, statusOf(err), waitOf(err))
    }
    const typed = { browser: browser.id, purpose, page_id: pageId, code: form('code') }
    const confirmation = await database.write((tx) => confirmations.redeemCode(tx, typed))
    return confirmation === null ? again(WRONG_CODE, 400) : carryOut(confirmation, request)
  }

  return {
    show,
    tryCode,
    async redeem(token: string, request: Request): Promise<Response> {
      const { assertFor } = await formOf(parts, request)
      try {
        assertFor(formOfLink(token))
      } catch (err) {
        if (!isRefusal(err, 'stale_form')) throw err
        return show(token, request, err.message)
      }
      const confirmation = await database.write((tx) => confirmations.redeem(tx, token))
      return confirmation === null ? gone() : carryOut(confirmation, request)
    },
  }
}

function formOfLink(token: string): string {
  return `confirm ${sha256(token)}`
}
