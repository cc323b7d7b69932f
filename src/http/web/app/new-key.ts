import type { Secrets } from '../../../platform/secrets.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { redirectResponse } from './page-response.ts'

const PURPOSE = 'new-key'

/**
 * Passes the key that the set-up makes to the dashboard, which shows it. It is sealed for its
 * account in a cookie that lasts a few minutes, so that it survives a reload and is in no address.
 */
export function createNewKeys({ secrets, cookies }: { secrets: Secrets; cookies: Cookies }) {
  return {
    /** Redirects to the dashboard with the key. */
    redirect(accountId: string, key: string, moreCookies: readonly string[]): Response {
      const sealed = secrets.seal(PURPOSE, accountId, key)
      return redirectResponse({
        location: '/app',
        cookies: [...moreCookies, cookies.newKey(sealed)],
      })
    },
    /** The key in the cookie, if it was sealed for this account. */
    find(request: Request, accountId: string): string | null {
      const sealed = cookies.newKeyOf(request)
      try {
        return sealed === null ? null : secrets.open(PURPOSE, accountId, sealed)
      } catch {
        return null
      }
    },
  }
}
