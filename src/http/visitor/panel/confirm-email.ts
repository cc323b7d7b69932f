import { LIMITS } from '../../../features/throttles/index.ts'
import { confirmByCode, mailConfirmation } from '../../../features/viewer-emails/contract.ts'
import { CONFIRM_EMAIL, type ViewerEmails } from '../../../features/viewer-emails/index.ts'
import { refuse } from '../../../model/errors.ts'
import { parseEmail } from '../../../model/text.ts'
import { atFixedTime } from '../../../platform/promises.ts'
import { CODES_OFF, EMAIL_NEEDED, WRONG_CODE } from '../../kit/confirmation-actions.ts'
import type { GateDeps } from '../gates/routes.ts'
import {
  createVisitorRoute,
  type VisitorRoute,
  type VisitorRouteDeps,
} from '../operations/operations.ts'
import { requiresSignIn } from '../request/identity.ts'

export interface ConfirmEmailDeps
  extends VisitorRouteDeps,
    Pick<GateDeps, 'confirmations' | 'mailBudget' | 'knownBrowsers' | 'gateCookies'> {
  viewerEmails: ViewerEmails
}

/**
 * The routes by which the panel confirms an address: a mail with a link and a code, and the code.
 * They are independent of what the address is confirmed for.
 */
export function confirmEmailRoutes(deps: ConfirmEmailDeps): [path: string, VisitorRoute][] {
  const { viewerEmails, confirmations, throttles, mailBudget } = deps
  const { knownBrowsers, gateCookies, addressOf, nowMs } = deps

  const mail = createVisitorRoute(mailConfirmation, deps, async (call, input) => {
    const { request, device, subject } = call
    const { page, source } = subject
    const email = parseEmail(input.email)
    if (email === null) throw refuse.invalid('bad_email', EMAIL_NEEDED, { param: 'email' })
    if (requiresSignIn(page)) throw refuse.conflict('account_address', ACCOUNT_NEEDED)
    const sender = knownBrowsers.senderOf(request, email)
    const address = addressOf(request)
    const isSent = await mailBudget.mayMail({ scope: 'page', address, ...sender })
    const { path } = source
    const confirmation = { email, reason: input.reason, browser: device, path }
    if (isSent) await atFixedTime(() => viewerEmails.askToConfirm(page, confirmation))
    return { returned: { email, is_sent: isSent } }
  })

  const code = createVisitorRoute(confirmByCode, deps, async (call, input) => {
    const { request, device, subject } = call
    const address = addressOf(request)
    await throttles.assert(LIMITS.code, address)
    const purpose = { purpose: CONFIRM_EMAIL, page_id: subject.page.id }
    const codeInput = { ...purpose, browser: device, address, code: input.code }
    const answer = await confirmations.redeemCode(codeInput, async (_tx, { email }) => email)
    if (answer.outcome !== 'right') {
      throw answer.outcome === 'off'
        ? refuse.rateLimited('codes_off', CODES_OFF)
        : refuse.invalid('wrong_code', WRONG_CODE, { param: 'code' })
    }
    const email = answer.result
    const cookies = [
      gateCookies.emailCookie(request, email, nowMs()),
      knownBrowsers.cookie(request, device, email),
    ]
    return { returned: { email }, cookies }
  })

  return [
    [mailConfirmation.http.path, mail],
    [confirmByCode.http.path, code],
  ]
}

const ACCOUNT_NEEDED =
  'This page asks you to sign in, so the address of your account counts. Sign in with the other.'
