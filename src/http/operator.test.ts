import { expect, test } from 'bun:test'
import { z } from 'zod'
import { contract, implement } from '../model/operation.ts'
import { BASE_URL, testApp } from '../testing/app.ts'
import { bodyReader } from '../testing/body-reader.ts'
import { agentWith } from '../testing/mcp.ts'
import { createAuthentication } from './authenticate.ts'
import { createCompressor } from './kit/compressor.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { errorCodesOf } from './rest/error-codes.ts'
import { restRoutes } from './rest/routes.ts'

const countAccounts = contract({
  name: 'countAccounts',
  audience: 'operator',
  tag: 'Pages',
  summary: 'Count the accounts of this server.',
  http: { method: 'GET', path: '/accounts/count', status: 200 },
  tools: { count_accounts: 'Counts the accounts of this server. Example: {}.' },
  input: z.strictObject({}),
  output: z.object({ data: z.object({ count: z.int(), by: z.string() }) }),
  errors: [],
})

test('an operator’s operation is refused to any other account, over REST and MCP', async () => {
  await using app = await testApp('sqlite')
  const { accounts, sessions, pages, throttles, log } = app
  const operations = [
    implement(countAccounts, async ({ account }) => ({
      data: { count: (await accounts.list()).length, by: account.email },
    })),
  ]
  const { byHeader } = createAuthentication({ accounts, sessions, baseUrl: BASE_URL })
  const deps = {
    operations,
    authenticate: byHeader,
    isCrossOrigin: true,
    findPage: pages.get,
    bodyReader,
    throttles,
    compressor: createCompressor(),
    log,
  }
  const rest = restRoutes(deps)
  const answer = mcpRoutes({ ...deps, baseUrl: BASE_URL })
  const mcp = (init: RequestInit) => answer(new Request(`${BASE_URL}/mcp`, init), 'req_1')

  const token = await accounts.createSetupLink()
  const operator = await accounts.setUp(token, { email: 'op@example.com', plan: 'free' })
  const { key } = await app.owner()
  const ask = (authorization: string) =>
    rest.request(`${BASE_URL}/accounts/count`, { headers: { authorization } })

  const allowed = await ask(`Bearer ${operator.key.key}`)
  expect(await allowed.json()).toEqual({ data: { count: 2, by: 'op@example.com' } })
  const refused = await ask(`Bearer ${key}`)
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { error: { code: 'operator_only' } },
  ])
  expect((await ask('')).status).toBe(401)

  const called = await agentWith({ mcp }, operator.key.key).call('count_accounts')
  expect(called.structuredContent).toMatchObject({ data: { count: 2 } })
  const { isError, structuredContent } = await agentWith({ mcp }, key).call('count_accounts')
  expect([isError, structuredContent]).toMatchObject([true, { error: { code: 'operator_only' } }])
  expect(errorCodesOf(countAccounts)).toContain('operator_only')
})
