import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { SessionHolder } from '../../../features/sessions/index.ts'
import { LIMITS, type Throttles } from '../../../features/throttles/index.ts'
import type { MailWords } from '../../../model/mail.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import type { ConfirmationActions } from '../../kit/confirmation-actions.ts'
import { newBrowser } from '../../kit/cookies.ts'
import { assertTrustedWrite, formToken } from '../../kit/csrf.ts'
import { type Form, readForm } from '../../kit/form.ts'
import type { ResolveSession } from '../../kit/session.ts'
import type { SignInDeps } from './confirmation-actions.ts'
import type { View } from './pages.ts'

export interface AppDeps extends Omit<SignInDeps, 'cookies'> {
  confirmations: Confirmations
  throttles: Throttles
  secrets: Secrets
  assets: Assets
  /** Into the outbox, in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailWords): Promise<unknown>
  /** Whose tries a request counts as; null where that is not known. */
  addressOf?: (request: Request) => string | null
  /** What else links and codes are for. */
  purposes?: ConfirmationActions
}

/** What the parts of the app's door share. */
export interface Parts extends AppDeps, SignInDeps {
  view: View
  resolveSession: ResolveSession<SessionHolder>
}

/** The browser that asks: the id in its cookie, or a new one to give it. */
export function browserOf({ cookies, secrets }: Parts, request: Request) {
  const known = cookies.browserOf(request)
  const id = known ?? newBrowser()
  return {
    id,
    /** Sent with every page that has a form, so that it outlasts the form. */
    cookie: cookies.browser(id),
    formToken: (what: string) => formToken(secrets, id, what),
  }
}

export interface TrustedForm {
  form: Form
  /** Refuses what no page of ours sent. @throws Refusal `forbidden` */
  assertFor(what: string): void
}

export async function formOf(parts: Parts, request: Request): Promise<TrustedForm> {
  const { secrets, baseUrl, cookies } = parts
  const form = await readForm(request)
  const browser = cookies.browserOf(request)
  return {
    form,
    assertFor: (what) =>
      assertTrustedWrite(request, { secrets, baseUrl, browser, token: form('token'), what }),
  }
}

/** @throws Refusal `rate_limited` */
export async function assertMayMail(parts: Parts, email: string, request: Request): Promise<void> {
  const address = parts.addressOf?.(request) ?? null
  if (address !== null) await parts.throttles.assert(LIMITS.mail_from_address, address)
  await parts.throttles.assert(LIMITS.mail_to_email, email)
}

/** @throws Refusal `rate_limited` */
export async function assertMayTryCode(parts: Parts, request: Request): Promise<void> {
  const address = parts.addressOf?.(request) ?? null
  if (address !== null) await parts.throttles.assert(LIMITS.code, address)
}
