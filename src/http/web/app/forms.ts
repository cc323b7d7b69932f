import type { Secrets } from '../../../platform/secrets.ts'
import { type BodyReader, type Form, readForm } from '../../kit/body.ts'
import { type Cookies, newBrowser } from '../../kit/cookies.ts'
import { assertTrustedWrite, formToken } from '../../kit/csrf.ts'

/** The form for the code of a mail. Sign-in shows it first, confirm shows it again on an error. */
export const CODE_FORM = 'confirm-code'

export interface FormsDeps {
  secrets: Secrets
  cookies: Cookies
  baseUrl: string
  bodyReader: BodyReader
}

/** The browser of a request, by the random id in its cookie. */
export interface Browser {
  id: string
  /** The `Set-Cookie` line. Every page with a form sends it, so that it outlasts the form. */
  cookie: string
  /** Makes the token of a form for one action, such as `sign-out`. */
  formToken(action: string): string
}

export interface ReceivedForm {
  form: Form
  /**
   * Refuses a form that was not made by us, for this browser and this action.
   *
   * @throws Refusal `forbidden`
   */
  assertFor(action: string): void
}

/** Forms with tokens that bind them to one browser and one action. */
export function createForms({ secrets, cookies, baseUrl, bodyReader }: FormsDeps) {
  return {
    /** A request without a browser cookie gets a new id. */
    browserOf(request: Request): Browser {
      const id = cookies.browserOf(request) ?? newBrowser()
      return {
        id,
        cookie: cookies.browser(id),
        formToken: (action) => formToken(secrets, id, action),
      }
    },
    /** @throws Refusal if the body is not a valid form */
    async read(request: Request): Promise<ReceivedForm> {
      const form = await readForm(request, bodyReader)
      const browser = cookies.browserOf(request)
      return {
        form,
        assertFor(action) {
          const claim = { secrets, baseUrl, browser, token: form('token'), action }
          assertTrustedWrite(request, claim)
        },
      }
    },
  }
}
export type Forms = ReturnType<typeof createForms>
