import type { Accounts } from '../../../features/accounts/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { createCookies } from '../../kit/cookies.ts'
import { scriptedPolicy } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import { COPY_SCRIPT, handOverPage } from './hand-over-page.ts'
import { redirectResponse } from './page-response.ts'
import type { PageContext } from './pages.ts'
import { SIGN_IN } from './sign-in-action.ts'

const PURPOSE = 'set-up-elsewhere'

export interface HandOverDeps {
  accounts: Accounts
  confirmations: Confirmations
  secrets: Secrets
  page: PageContext
  baseUrl: string
}

interface HandedOver {
  account_id: string
  key: string
  /** The purpose of a one-time link that signs the browser in. */
  token: string
}

/**
 * The page after a set-up at another address of the server than `BASE_URL`, such as the one it
 * listens on. A session there would be useless, because the app is at `BASE_URL` alone. The page
 * shows the key, and its link signs the browser in at `BASE_URL`. A cookie has both, sealed, so
 * that the page survives a reload.
 */
export function createHandOver(deps: HandOverDeps) {
  const { accounts, confirmations, secrets, page, baseUrl } = deps

  return {
    async signInToken(tx: Tx, email: string): Promise<string> {
      return (await confirmations.start(tx, { purpose: SIGN_IN, email })).token
    },
    /** @param origin at which the browser is */
    redirect(origin: string, handedOver: HandedOver): Response {
      const sealed = secrets.seal(PURPOSE, '', JSON.stringify(handedOver))
      return redirectResponse({
        location: '/setup/key',
        cookies: [createCookies(origin).newKey(sealed)],
      })
    },
    async show(request: Request): Promise<Response> {
      const handedOver = handedOverIn(request)
      const account = handedOver && (await accounts.find(handedOver.account_id))
      if (!account) return redirectResponse({ location: `${baseUrl}/app`, cookies: [] })
      const { key, token } = handedOver!
      const signInUrl = `${baseUrl}/app/confirm/${token}`
      const body = handOverPage(page, { email: account.email, key, baseUrl, signInUrl })
      return documentResponse(request, { csp: scriptedPolicy(COPY_SCRIPT), body })
    },
  }

  function handedOverIn(request: Request): HandedOver | null {
    const { protocol, host } = new URL(request.url)
    const origins = [`${protocol}//${host}`, `https://${host}`]
    const sealed = origins.map((origin) => createCookies(origin).newKeyOf(request)).find(Boolean)
    try {
      return sealed ? JSON.parse(secrets.open(PURPOSE, '', sealed)) : null
    } catch {
      return null
    }
  }
}
