import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'

const sessionContract = contractsOf('Account', 'session', { takesGuests: true })
const identity = component('Identity', {
  id: z.string(),
  provider: z.string().describe('Its name, or the host of one that the server used before.'),
  email: z
    .string()
    .nullable()
    .describe('The verified address at the provider. It may differ from the account’s.'),
  created_at: z.string().describe('When it was linked.'),
  last_used_at: z.string().describe('When it was last used to sign in.'),
})

export const listIdentities = sessionContract({
  summary: 'List the providers of single sign-on that sign in to your account.',
  description: 'The first sign-in with a provider links it. An account may have none.',
  http: { method: 'GET', path: '/identities', status: 200 },
  data: z.array(identity),
})

export const unlinkIdentity = sessionContract({
  summary: 'Unlink a provider from your account.',
  description:
    'The other ways to sign in work as before, and sessions go on. Signing in with the provider ' +
    'again links it again, if it names the address of your account.',
  http: { method: 'DELETE', path: '/identities/{identity_id}', status: 204 },
  input: z.strictObject({ identity_id: z.string().max(100) }),
  errors: ['identity_not_found'],
})
