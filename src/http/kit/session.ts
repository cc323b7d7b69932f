import type { Cookies } from './cookies.ts'

/** Finds the session of a request. Resolves to null when its cookies hold none that is valid. */
export type ResolveSession<Session> = (request: Request) => Promise<Session | null>

export interface SessionResolverDeps<Session> {
  cookies: Cookies
  findSession(token: string): Promise<Session | null>
}

export function createSessionResolver<Session>({
  cookies,
  findSession,
}: SessionResolverDeps<Session>): ResolveSession<Session> {
  return async (request) => {
    const token = cookies.sessionOf(request)
    return token === null ? null : findSession(token)
  }
}
