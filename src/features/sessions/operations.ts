import { refuse } from '../../model/errors.ts'
import { implement, type Operation } from '../../model/operation.ts'
import { endOtherSessions, endSession, listSessions } from './contract.ts'
import { browserName, type Sessions } from './sessions.ts'

export function sessionOperations(sessions: Sessions): Operation[] {
  return [
    implement(listSessions, async ({ account, sessionId }) => {
      const all = await sessions.list(account.id)
      const own = all.filter(({ id }) => id === sessionId)
      const others = all.filter(({ id }) => id !== sessionId)
      return {
        data: [...own, ...others].map((session) => ({
          ...session,
          browser: browserName(session.user_agent),
          is_current: session.id === sessionId,
          last_used_at: session.last_seen_at,
        })),
      }
    }),
    implement(endSession, async ({ account, sessionId }, { session_id: named }) => {
      const id = named === 'current' ? sessionId : named
      if (await sessions.revoke(account.id, id)) return
      throw refuse.notFound('session_not_found', 'There is no such session: it has ended.')
    }),
    implement(endOtherSessions, async ({ account, sessionId }) => ({
      data: { ended: await sessions.revokeAll(account.id, sessionId) },
    })),
  ]
}
