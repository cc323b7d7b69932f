import { noAccountMail, signInMail } from '../../../features/sessions/index.ts'
import { parseEmail } from '../../../model/text.ts'
import { safeNext } from '../../kit/safe-next.ts'
import { mayEnter, SIGN_IN } from './confirmation-actions.ts'
import { assertMayMail, browserOf, formOf, type Parts } from './deps.ts'
import { checkMailPage, signInPage } from './pages.ts'
import { answer, goOn, isRefusal, statusOf, waitOf } from './response.ts'

const FORM = 'sign-in'
export const CODE_FORM = 'confirm-code'

export function createSignIn(parts: Parts) {
  const { view, baseUrl, database, confirmations, sendMail, resolveSession } = parts

  interface Typed {
    email?: string
    next: string | null
    error?: string
  }
  function formPage(request: Request, typed: Typed, status = 200, headers = {}): Response {
    const { cookie, formToken } = browserOf(parts, request)
    const body = signInPage({ ...view, ...typed, formToken: formToken(FORM) })
    return answer(body, { status, headers, cookies: [cookie] })
  }

  /** The same rows for every address: whether it has an account, only its mail tells. */
  async function start(email: string, browser: string, next: string | null): Promise<void> {
    const isAllowed = await mayEnter(parts, email)
    await database.write(async (tx) => {
      const asked = { purpose: SIGN_IN, email, browser, details: { next } }
      const { token, code } = await confirmations.start(tx, asked)
      const about = { to: email, host: view.host }
      const mail = isAllowed
        ? signInMail({ ...about, url: `${baseUrl}/app/confirm/${token}`, code })
        : noAccountMail({ ...about, url: `${baseUrl}/app/sign-in` })
      await sendMail(tx, mail)
    })
  }

  return {
    async form(request: Request): Promise<Response> {
      const next = safeNext(new URL(request.url).searchParams.get('next'))
      const session = await resolveSession(request)
      if (session !== null) return goOn({ location: next ?? '/app', cookies: [] })
      return formPage(request, { next })
    },
    async send(request: Request): Promise<Response> {
      const { form, assertFor } = await formOf(parts, request)
      const next = safeNext(form('next'))
      const typed = form('email')
      const email = parseEmail(typed)
      try {
        assertFor(FORM)
        if (email === null) {
          const error = 'This is not an email address. It looks like ann@example.com.'
          return formPage(request, { email: typed, next, error }, 400)
        }
        await assertMayMail(parts, email, request)
      } catch (err) {
        if (!isRefusal(err, 'stale_form') && !isRefusal(err, 'rate_limited')) throw err
        const again = { email: typed, next, error: err.message }
        return formPage(request, again, statusOf(err), waitOf(err))
      }
      const browser = browserOf(parts, request)
      await start(email, browser.id, next)
      const formToken = browser.formToken(CODE_FORM)
      const asked = { email, purpose: SIGN_IN, page_id: null, formToken }
      return answer(checkMailPage({ ...view, ...asked }), { cookies: [browser.cookie] })
    },
  }
}
