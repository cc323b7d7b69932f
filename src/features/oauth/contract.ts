import { z } from 'zod'
import { SCOPES } from '../../model/account.ts'
import { component, contractsOf } from '../../model/operation.ts'

const sessionContract = contractsOf('Keys', 'session')
const connection = component('Connection', {
  id: z.string(),
  name: z.string().nullable().describe('What the app calls itself, which anybody can claim.'),
  host: z
    .string()
    .nullable()
    .describe('Whose app it is: the host of its client id. null: it was registered by itself.'),
  scopes: z.array(z.enum(SCOPES)).describe('What it was allowed.'),
  created_at: z.string().describe('When it was allowed.'),
  last_used_at: z.string().nullable().describe('Accurate to a minute; null: never.'),
  expires_at: z.string().nullable().describe('When it ends, unless it is used before.'),
})

export const listConnections = sessionContract({
  summary: 'List the apps that are connected to your account.',
  description: 'Those that you allowed at `/oauth/authorize`, the newest last.',
  http: { method: 'GET', path: '/connections', status: 200 },
  data: z.array(connection),
})

export const endConnection = sessionContract({
  summary: 'Disconnect an app.',
  description: 'Its tokens are refused from now on, and the webhooks that it made end.',
  http: { method: 'DELETE', path: '/connections/{connection_id}', status: 204 },
  input: z.strictObject({ connection_id: z.string().max(100).describe('Its id.') }),
  errors: ['connection_not_found'],
})
