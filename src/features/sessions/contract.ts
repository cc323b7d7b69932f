import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'

const sessionContract = contractsOf('Sessions', 'session', { takesGuests: true })
const session = component('Session', {
  id: z.string(),
  browser: z.string().describe('In words, such as `Firefox on Linux`.'),
  is_current: z.boolean().describe('Whether this request was sent with it.'),
  created_at: z.string().describe('When the browser signed in.'),
  has_recent_sign_in: z
    .boolean()
    .describe('Within the last hour: a few operations ask for that, with `sign_in_again`.'),
  last_used_at: z.string().describe('Accurate to an hour.'),
  expires_at: z.string().describe('When it ends, unless it is used before.'),
})

export const listSessions = sessionContract({
  summary: 'List the browsers that are signed in to your account.',
  description: 'The session of this request comes first, then those that were used last.',
  http: { method: 'GET', path: '/sessions', status: 200 },
  data: z.array(session),
})

export const endSession = sessionContract({
  summary: 'Sign one browser out.',
  description: 'It ends at once. `current` is the session of this request.',
  http: { method: 'DELETE', path: '/sessions/{session_id}', status: 204 },
  input: z.strictObject({ session_id: z.string().max(100).describe('Its id, or `current`.') }),
  errors: ['session_not_found'],
})

export const endOtherSessions = sessionContract({
  summary: 'Sign all other browsers out.',
  description: 'All sessions of the account end at once, but the one of this request.',
  http: { method: 'DELETE', path: '/sessions', status: 200 },
  data: z.object({ ended: z.int().describe('How many were ended.') }),
})
