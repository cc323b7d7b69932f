import type { SessionHolder, Sessions } from '../../../features/sessions/index.ts'
import { createCookies } from '../../kit/cookies.ts'

/** Who is signed in in the browser that asks. Null at once where it sends no session. */
export type ResolveSession = (request: Request) => Promise<SessionHolder | null>

export function sessionResolver({
  sessions,
  baseUrl,
}: {
  sessions: Sessions
  baseUrl: string
}): ResolveSession {
  const { sessionOf } = createCookies(baseUrl)
  return async (request) => {
    const token = sessionOf(request)
    return token === null ? null : sessions.find(token)
  }
}
