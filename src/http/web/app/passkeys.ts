import type { Hono } from 'hono'
import { refused } from '../../../features/passkeys/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { parseJson } from '../../../model/parse-json.ts'
import { readForm } from '../../kit/body.ts'
import { assertOwnOrigin } from '../../kit/csrf.ts'
import { API_HEADERS, buildResponse, refusalResponse } from '../../kit/response.ts'
import type { AppContext } from './context.ts'
import { signIn } from './sign-in.ts'

/**
 * Sign-in by passkey, for the scripts of our own pages. A challenge belongs to the browser whose
 * cookie came with its request, so no other site can begin a sign-in, and none can end one.
 */
export function passkeyRoutes(context: AppContext, routes: Hono): void {
  const { passkeys, database, bodyReader, throttles, resolveSession } = context
  const { cookies, knownBrowsers, addressOf, baseUrl } = context

  async function begin(request: Request): Promise<Response> {
    assertOwnOrigin(request, baseUrl)
    const browser = context.browserOf(request)
    return answer(passkeys.signInOptions(browser), [cookies.browser(browser)])
  }

  async function finish(request: Request): Promise<Response> {
    assertOwnOrigin(request, baseUrl)
    const browser = cookies.browserOf(request)
    if (browser === null) throw refused()
    await throttles.assert(LIMITS.passkey, addressOf(request))
    const form = await readForm(request, bodyReader)
    const proof = await passkeys.prove(parseJson(form('response')), browser)
    // Signing in again is for the account that is signed in, and changes to no other.
    const session = form('again') === '' ? null : await resolveSession(request)
    if (session !== null && session.account.id !== proof.accountId) throw refused()
    const { email, outcome } = await database.write(async (tx) => {
      const { email } = await passkeys.use(tx, proof)
      return { email, outcome: await signIn(context, tx, { email, next: form('next'), request }) }
    }, 'freeing')
    const browserCookie = knownBrowsers.cookie(request, browser, email)
    return answer({ next: outcome.next }, [...outcome.cookies, browserCookie])
  }

  for (const [path, handle] of [
    ['/sign-in/passkey/options', begin],
    ['/sign-in/passkey', finish],
  ] as const) {
    routes.post(path, async ({ req }) => {
      try {
        return await handle(req.raw)
      } catch (err) {
        if (!(err instanceof Refusal)) throw err
        return refusalResponse(err)
      }
    })
  }
}

function answer(data: object, cookies: string[]): Response {
  const headers = { ...API_HEADERS, 'content-type': 'application/json' }
  return buildResponse(null, { headers, body: JSON.stringify({ data }), cookies })
}
