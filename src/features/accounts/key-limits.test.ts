import { describe, expect, it } from 'bun:test'
import { SCOPES } from '../../model/account.ts'
import { scopesOf, takesPageKeys, takesSessionOnly } from '../../model/operation.ts'
import { DAY_MS, ENGINES, testApp } from '../../testing/app.ts'
import { agentWith } from '../../testing/mcp.ts'
import { type Owner, ownerWith, type Refused } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { createThread } from '../../testing/test-comments.ts'

type Call = readonly [method: string, path: string, body?: object]

/** The status and the missing scope of a call that may be refused. */
async function outcome(by: Owner, [method, path, body]: Call) {
  const { status, body: answer } = await by.call<Partial<Refused>>(method, path, body)
  return [status, answer.error?.code, answer.error?.scope]
}

for (const engine of ENGINES) {
  describe(`limits of API keys on ${engine}`, () => {
    it('a key reads, writes or hears what viewers say, as its scopes name', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const talk = await createThread(app, owner)
      await talk.post('one', { body: 'zwieback' })
      const path = `/pages/${talk.id}`
      const calls = {
        'pages:read': ['GET', `${path}/html`],
        'pages:write': ['PATCH', path, { title: 'Other' }],
        'feedback:read': ['GET', `${path}/comments`],
      } as const
      for (const scope of SCOPES) {
        const made = await app.accounts.createKey(owner.email, 'one', { scopes: [scope] })
        const agent = ownerWith(app, made.key, owner.email)
        for (const [needed, call] of Object.entries(calls)) {
          const refused = [403, 'scope_missing', needed]
          const expected = needed === scope ? [200, undefined, undefined] : refused
          expect([scope, ...(await outcome(agent, call))]).toEqual([scope, ...expected])
        }
        expect(await outcome(agent, ['GET', '/account'])).toEqual([200, undefined, undefined])
      }
    })

    it('a refusal names all scopes that are missing', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const made = await app.accounts.createKey(owner.email, 'one', { scopes: ['pages:read'] })
      const agent = ownerWith(app, made.key, owner.email)
      const hook = { url: 'https://example.com/hook', types: ['comment'] }
      expect(await outcome(agent, ['POST', '/webhooks', hook])).toEqual([
        ...[403, 'scope_missing'],
        'pages:write feedback:read',
      ])
    })

    it('a key for some pages reads and changes those, and hears of those alone', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const [mine, other] = [await createThread(app, owner), await createThread(app, owner)]
      const made = await app.accounts.createKey(owner.email, 'one', { page_ids: [mine.id] })
      const agent = ownerWith(app, made.key, owner.email)
      for (const { post } of [mine, other]) await post('one', { body: 'Hello' })
      const listed = await agent.ask<{ id: string }[]>('GET', '/pages')
      expect(listed.map(({ id }) => id)).toEqual([mine.id])
      const told = await agent.ask<{ items: { page_id: string }[] }>(
        'GET',
        '/feedback?cursor=start',
      )
      expect(told.items.map(({ page_id }) => page_id)).toEqual([mine.id])
      await agent.ask('PATCH', `/pages/${mine.id}`, { title: 'Other' })
      const refused = [403, 'scope_missing', 'page_ids']
      const calls = [
        ['GET', `/pages/${other.id}`],
        ['GET', `/pages/${other.id}/comments`],
        ['PATCH', `/pages/${other.id}`, { title: 'Other' }],
        ['DELETE', `/pages/${other.id}`],
        ['GET', `/pages/${other.id}/feedback`],
        ['POST', '/pages', { html: '<p>new' }],
        ['POST', `/pages/${mine.id}/duplicate`],
        ['GET', '/inbox'],
        ['GET', '/account/export'],
        ['GET', '/webhooks'],
      ] as const
      for (const call of calls) {
        expect([call[1], ...(await outcome(agent, call))]).toEqual([call[1], ...refused])
      }
      const client = agentWith(app, agent.key)
      const waited = await client.call('wait_for_feedback', { page_id: other.id, cursor: 'start' })
      expect(waited.isError).toBe(true)
      expect(JSON.stringify(waited)).toContain('scope_missing')
    })

    it('a key ends at its time, and so do the webhooks that it made', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const limits = { expires_at: new Date(app.clock.ms() + DAY_MS).toISOString() }
      const made = await app.accounts.createKey(owner.email, 'one', limits)
      const agent = ownerWith(app, made.key, owner.email)
      const hook = { url: 'https://example.com/hook', types: ['comment'] }
      const { id } = await agent.ask<{ id: string }>('POST', '/webhooks', hook)
      const state = { is_on: true, off_reason: null }
      expect(await owner.ask<object>('GET', `/webhooks/${id}`)).toMatchObject(state)
      app.advance(DAY_MS)
      expect(await outcome(agent, ['GET', '/pages'])).toEqual([401, 'key_expired', undefined])
      const ended = { is_on: false, off_reason: 'key_revoked' }
      expect(await owner.ask<object>('GET', `/webhooks/${id}`)).toMatchObject(ended)
    })

    it('is made in the app with its limits, of pages by id, slug or link', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('x')
      const browser = await sessionOf(app, owner.email)
      const input = {
        ...{ name: 'agent', scopes: ['pages:read'], page_ids: [page.url] },
        expires_at: '2099-01-01T00:00:00.000000Z',
      }
      const expected = { ...input, page_ids: [page.id] }
      const made = await browser.ask<{ key: string }>('POST', '/keys', input)
      expect(made).toMatchObject(expected)
      const [, listed] = await browser.ask<object[]>('GET', '/keys')
      expect(listed).toMatchObject(expected)
      const others = await app.owner()
      const foreign = await others.publish('x')
      for (const bad of [
        { page_ids: [foreign.id] },
        { page_ids: [] },
        { scopes: [] },
        { scopes: ['all'] },
        { expires_at: '2001-01-01T00:00:00Z' },
      ]) {
        const { status, body } = await browser.call<Refused>('POST', '/keys', bad)
        expect([status, body.error.param?.split('.')[0]]).toEqual([400, Object.keys(bad)[0]])
      }
    })
  })
}

it('an operation that answers words of strangers needs feedback:read', async () => {
  await using app = await testApp('sqlite')
  for (const { contract } of app.operations) {
    if (takesSessionOnly(contract)) continue
    const scopes = scopesOf(contract)
    if (contract.hasStrangersWords) expect(scopes).toContain('feedback:read')
    const isWrite = contract.http.method !== 'GET' && contract.name !== 'previewPage'
    expect([contract.name, scopes.includes('pages:write')]).toEqual([contract.name, isWrite])
  }
})

it('of operations about the account, a key for some pages may call these alone', async () => {
  await using app = await testApp('sqlite')
  const allowed = app.operations.filter(
    ({ contract }) => contract.audience === 'account' && takesPageKeys(contract),
  )
  expect(allowed.map(({ contract }) => contract.name)).toEqual([
    ...['listPages', 'createUpload', 'createUploadLink', 'getFeedback', 'getAccount'],
  ])
})
