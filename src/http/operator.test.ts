import { expect, test } from 'bun:test'
import { z } from 'zod'
import { APP_HEADER } from '../model/app-api.ts'
import { contractsOf, operationsOf } from '../model/operation.ts'
import { BASE_URL, testApp } from '../testing/app.ts'
import { bodyReader } from '../testing/body-reader.ts'
import { agentWith } from '../testing/mcp.ts'
import { NO_ASSETS } from '../testing/no-assets.ts'
import { createAuthentication } from './authenticate.ts'
import { createCompressor } from './kit/compressor.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { errorCodesOf } from './rest/error-codes.ts'
import { restRoutes } from './rest/routes.ts'

const operatorContract = contractsOf('Pages', 'operator')
const countAccounts = operatorContract({
  summary: 'Count the accounts of this server.',
  http: { method: 'GET', path: '/accounts/count', status: 200 },
  tools: { count_accounts: { set: 'content', description: 'Counts the accounts.' } },
  input: z.strictObject({}),
  output: z.object({ data: z.object({ count: z.int(), by: z.string() }) }),
  errors: [],
})

test('an operation of the operator takes the session of an operator, and no API key', async () => {
  await using app = await testApp('sqlite')
  const { accounts, sessions, pages, throttles, oauth, log, secrets, clock } = app
  const operations = operationsOf(
    { countAccounts },
    {
      countAccounts: async ({ account }) => ({
        count: (await accounts.list()).length,
        by: account.email,
      }),
    },
  )
  const { byHeader, byAppRequest } = createAuthentication({ ...app, baseUrl: BASE_URL })
  const deps = {
    operations,
    isCrossOrigin: true,
    findPage: pages.get,
    bodyReader,
    throttles,
    oauth,
    compressor: createCompressor(),
    ...{ log, secrets, clock },
    baseUrl: BASE_URL,
    assets: NO_ASSETS,
  }
  const byKey = restRoutes({ ...deps, authenticate: byHeader })
  const bySession = restRoutes({ ...deps, authenticate: byAppRequest, isCrossOrigin: false })
  const answer = mcpRoutes({ ...deps, authenticate: byHeader })
  const mcp = (init: RequestInit) => answer(new Request(`${BASE_URL}/mcp`, init), 'req_1')

  const token = await accounts.createSetupLink()
  const operator = await accounts.setUp(token, { email: 'op@example.com', plan: 'free' })
  const owner = await app.owner()
  const path = '/accounts/count'
  const withKey = (authorization: string) =>
    byKey.request(`${BASE_URL}/api/v1${path}`, { headers: { authorization } }, {})
  const withSession = async (email: string) => {
    const { id } = (await accounts.findByEmail(email))!
    const session = await app.database.write((tx) => sessions.create(tx, id, null))
    const cookie = `handbill_session=${session}`
    return bySession.request(
      `${BASE_URL}/app/api${path}`,
      { headers: { cookie, [APP_HEADER]: '1' } },
      {},
    )
  }

  const allowed = await withSession('op@example.com')
  expect(await allowed.json()).toEqual({ data: { count: 2, by: 'op@example.com' } })
  for (const [refused, code] of [
    [await withSession(owner.email), 'operator_only'],
    [await withKey(`Bearer ${operator.key.key}`), 'session_only'],
    [await withKey(`Bearer ${owner.key}`), 'session_only'],
  ] as const) {
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code } }])
  }
  expect((await withKey('')).status).toBe(401)
  for (const key of [operator.key.key, owner.key]) {
    const { isError, json } = await agentWith({ mcp }, key).call('count_accounts')
    expect([isError, json]).toMatchObject([true, { error: { code: 'session_only' } }])
  }
  expect(errorCodesOf(operations[0]!.contract)).toEqual(
    expect.arrayContaining(['operator_only', 'session_only', 'signed_out']),
  )
})
