import { describe, expect, it } from 'bun:test'
import { TASKS } from '../../model/mcp/tasks.ts'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { agentWith, untrustedIn } from '../../testing/mcp.ts'
import { createThread } from '../../testing/test-comments.ts'

const PEOPLE = ['ann@example.com', 'ben@example.com']
const POLL = { kind: 'poll', question: 'Which one?', options: ['A', 'B'] }
const ASK = { html: '<title>Plan</title><p>words', people: PEOPLE, question: POLL }
const DAY_MS = 24 * HOUR_MS
const NO_TASK = { code: -32_602, message: 'There is no such task.' }
const SENDS_MAILS = { smtpUrl: 'smtp://mail.example.com' }

/** A client of 2026, which says with each request what it knows. */
function clientOf(
  app: Parameters<typeof agentWith>[0],
  key: string,
  extensions: object = { [TASKS]: {} },
) {
  const agent = agentWith(app, key)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  }
  async function ask(method: string, params: Record<string, unknown> = {}) {
    const named = params.name ?? params.taskId
    const headers = {
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      ...(named !== undefined && { 'mcp-name': String(named) }),
    }
    const message = { jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } }
    return agent.send(message, headers)
  }
  const resultOf = async (method: string, params?: Record<string, unknown>) =>
    (await ask(method, params)).body.result
  return {
    ask,
    call: (name: string, options: object) => resultOf('tools/call', { name, arguments: options }),
    get: (taskId: string) => resultOf('tasks/get', { taskId }),
    error: async (method: string, params: Record<string, unknown>) =>
      (await ask(method, params)).body.error,
    discover: () => resultOf('server/discover'),
  }
}

async function vote(app: TestApp, pageId: string, email: string): Promise<void> {
  const page = (await app.pages.find(pageId))!
  const who = { isOwner: false, emails: [email], device: email }
  const participant = app.viewers.participantOf(page, who)
  await app.polls.vote(page, participant, { option: 'B', is_named: true, name: null })
}

const jsonIn = (result: { content: { text: string }[] }) =>
  JSON.parse(untrustedIn(result.content[0]!.text)).data

for (const engine of ENGINES) {
  describe(`tasks of agents on ${engine}`, () => {
    it('give the answers of all who were asked, once they have answered', async () => {
      await using app = await testApp(engine, SENDS_MAILS)
      const owner = await app.owner()
      const client = clientOf(app, owner.key)
      const made = await client.call('ask', ASK)
      const times = { createdAt: expect.any(String), lastUpdatedAt: expect.any(String) }
      const limits = { ttlMs: 90 * DAY_MS, pollIntervalMs: 5000 }
      expect(made).toMatchObject({
        ...{ resultType: 'task', status: 'working', ...times, ...limits },
        ...{ statusMessage: '0 of 2 have answered.', content: [] },
      })
      const { taskId } = made
      const ask = await owner.ask<{ page: { id: string } }>('GET', `/asks/${taskId}`)
      await vote(app, ask.page.id, PEOPLE[0]!)
      const waiting = await client.get(taskId)
      expect(waiting).toMatchObject({
        ...{ resultType: 'complete', taskId, status: 'working', ...times, ...limits },
        statusMessage: '1 of 2 have answered.',
      })
      expect(JSON.stringify(waiting)).not.toContain(PEOPLE[0]!)
      await vote(app, ask.page.id, PEOPLE[1]!)
      const done = await client.get(taskId)
      expect(done).toMatchObject({ resultType: 'complete', taskId, status: 'completed' })
      expect(done.result.resultType).toBe('complete')
      expect(done.lastUpdatedAt > done.createdAt).toBe(true)
      expect(jsonIn(done.result)).toMatchObject({
        ...{ outcome: 'all_answered', waiting: [] },
        answered: PEOPLE.map((who) => ({ who, answer: { option: 'B' } })),
      })
    })

    it('end at the deadline with those who answered', async () => {
      await using app = await testApp(engine, SENDS_MAILS)
      const owner = await app.owner()
      const client = clientOf(app, owner.key)
      const due_at = app.clock.after(HOUR_MS)
      const { taskId } = await client.call('ask', { ...ASK, due_at, wait_s: 50 })
      app.advance(HOUR_MS + 1)
      const { status, lastUpdatedAt, result } = await client.get(taskId)
      expect([status, lastUpdatedAt]).toEqual(['completed', due_at])
      expect(jsonIn(result)).toMatchObject({ outcome: 'deadline', waiting: PEOPLE })
    })

    it('are cancelled with the ask, and no other once it is over', async () => {
      await using app = await testApp(engine, SENDS_MAILS)
      const owner = await app.owner()
      const client = clientOf(app, owner.key)
      const { taskId } = await client.call('ask', ASK)
      const answered = await client.ask('tasks/cancel', { taskId })
      const { _meta, ...acknowledged } = answered.body.result
      expect(acknowledged).toEqual({ resultType: 'complete' })
      const { status, result } = await client.get(taskId)
      expect([status, result]).toEqual(['cancelled', undefined])
      const due_at = app.clock.after(HOUR_MS)
      const second = await client.call('ask', { ...ASK, due_at })
      app.advance(HOUR_MS + 1)
      await client.ask('tasks/cancel', { taskId: second.taskId })
      expect((await client.get(second.taskId)).status).toBe('completed')
    })

    it('are cancelled on every node, and none that began alike is', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const client = clientOf(app, owner.key)
      const talk = await createThread(app, owner)
      const args = { page_id: talk.id }
      const cancelled = await client.call('wait_for_feedback', args)
      const over = await client.call('wait_for_feedback', { types: 'vote' })
      await client.ask('tasks/cancel', { taskId: cancelled.taskId })
      const others = [await client.call('wait_for_feedback', args), over]
      await talk.post('one', 'After')
      const there = clientOf(engine === 'postgres' ? await app.node() : app, owner.key)
      for (const { get } of [client, there]) {
        const { content, ...begun } = cancelled
        const ended = { ...begun, resultType: 'complete', status: 'cancelled' }
        expect(await get(cancelled.taskId)).toEqual(ended)
        expect((await get(others[0].taskId)).status).toBe('completed')
      }
      app.advance(7 * DAY_MS)
      for (const { taskId } of others) await there.ask('tasks/cancel', { taskId })
      for (const { taskId } of others) expect((await client.get(taskId)).status).toBe('completed')
      app.advance(82 * DAY_MS)
      await app.throttles.sweep()
      expect((await client.get(cancelled.taskId)).status).toBe('cancelled')
      app.advance(DAY_MS)
      await app.throttles.sweep()
      expect(await client.error('tasks/get', { taskId: cancelled.taskId })).toEqual(NO_TASK)
      expect(await app.rows('throttles')).toEqual([])
    })

    it('wait for feedback from where they began, and end after a week without any', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const client = clientOf(app, owner.key)
      const talk = await createThread(app, owner)
      const other = await createThread(app, owner)
      await talk.post('one', 'Before')
      const { slug } = await talk.page()
      const { taskId, status } = await client.call('wait_for_feedback', { page_id: slug })
      expect(status).toBe('working')
      // The page that it was, whatever has that name later.
      await owner.ask('PATCH', `/pages/${talk.id}`, { slug: 'another-name' })
      await owner.ask('PATCH', `/pages/${other.id}`, { slug })
      expect(taskId).toMatch(/^v1\.\d+\.[\w-]+\.[\w-]{43}$/)
      await other.post('one', 'Elsewhere')
      expect((await client.get(taskId)).status).toBe('working')
      const forever = await client.call('wait_for_feedback', { types: 'vote' })
      await talk.post('one', 'After')
      const done = await client.get(taskId)
      expect(done.status).toBe('completed')
      const { items, cursor } = jsonIn(done.result)
      expect(items).toMatchObject([{ type: 'comment', comment: { body: 'After' } }])
      const next = await client.call('wait_for_feedback', { page_id: talk.id, cursor })
      expect(next.status).toBe('working')
      app.advance(7 * DAY_MS)
      const ended = await client.get(forever.taskId)
      expect([ended.status, jsonIn(ended.result).items]).toEqual(['completed', []])
      app.advance(84 * DAY_MS)
      expect(await client.error('tasks/get', { taskId })).toEqual(NO_TASK)
    })
  })
}

describe('a task', () => {
  it('is none where the result is there already, or has to come at once', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const client = clientOf(app, owner.key)
    // This server sends no mails: the agent has to pass the links on.
    const made = await client.call('ask', ASK)
    expect([made.resultType, jsonIn(made).links.length]).toEqual(['complete', 2])
    const { id: ask_id, page } = jsonIn(made)
    expect((await client.call('get_answers', { ask_id })).resultType).toBe('complete')
    const held = await client.call('get_answers', { ask_id, wait_s: 50 })
    expect(held).toMatchObject({ resultType: 'task', taskId: ask_id })
    for (const email of PEOPLE) await vote(app, page.id, email)
    const ready = await client.call('get_answers', { ask_id, wait_s: 50 })
    expect(jsonIn(ready).outcome).toBe('all_answered')
    const read = { cursor: 'start' }
    expect(jsonIn(await client.call('wait_for_feedback', read)).items).toHaveLength(2)
    const now = await client.call('wait_for_feedback', { wait_s: 0 })
    expect([now.resultType, jsonIn(now).items]).toEqual(['complete', []])
    const refused = await client.call('ask', { ...ASK, people: [] })
    expect([refused.resultType, refused.isError]).toEqual(['complete', true])
    const listed = await client.call('list_pages', { wait_s: 50 })
    expect([listed.resultType, listed.isError]).toEqual(['complete', true])
  })

  it('is only for clients that know tasks, with this very request', async () => {
    await using app = await testApp('sqlite', SENDS_MAILS)
    const owner = await app.owner()
    const client = clientOf(app, owner.key)
    const without = clientOf(app, owner.key, {})
    expect((await client.discover()).capabilities).toMatchObject({
      tools: {},
      extensions: { [TASKS]: {} },
    })
    const made = await without.call('ask', ASK)
    expect([made.resultType, jsonIn(made).outcome]).toEqual(['complete', null])
    const task = await client.call('wait_for_feedback', {})
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const taskId of [task.taskId, jsonIn(made).id]) {
        const { status, body } = await without.ask(method, { taskId, inputResponses: {} })
        expect([status, body.error.code, body.error.data]).toEqual([
          ...[400, -32_021],
          { requiredCapabilities: { extensions: { [TASKS]: {} } } },
        ])
      }
    }
    const older = agentWith(app, owner.key)
    const hello = await older.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { extensions: { [TASKS]: {} } },
      clientInfo: { name: 'test', version: '1' },
    })
    expect(hello.result.capabilities.extensions).not.toHaveProperty([TASKS])
    expect((await older.call('ask', ASK)).taskId).toBeUndefined()
    const { error } = await older.ask('tasks/get', { taskId: task.taskId })
    expect(error.code).toBe(-32_601)
  })

  it('of a wait is cancelled a hundred times an hour, since each is remembered', async () => {
    await using app = await testApp('sqlite', { rateLimits: true })
    const client = clientOf(app, (await app.owner()).key)
    const cancel = async () => {
      const { taskId } = await client.call('wait_for_feedback', {})
      return (await client.ask('tasks/cancel', { taskId })).body
    }
    for (let count = 0; count < 100; count++) expect((await cancel()).error).toBeUndefined()
    expect((await cancel()).error.data).toEqual({ code: 'rate_limited' })
  })

  it('is as unknown to other accounts as one that never was', async () => {
    await using app = await testApp('sqlite', SENDS_MAILS)
    const owner = await app.owner()
    const client = clientOf(app, owner.key)
    const talk = await createThread(app, owner)
    const stranger = clientOf(app, (await app.owner()).key)
    const ask = await client.call('ask', ASK)
    const wait = await client.call('wait_for_feedback', { page_id: talk.id })
    const [version, expires, , signature] = wait.taskId.split('.')
    const payload = Buffer.from('{"cursor":"start"}').toString('base64url')
    const forged = [version, expires, payload, signature].join('.')
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const taskId of [ask.taskId, wait.taskId, forged, 'ask_1', '', 'x'.repeat(5000)]) {
        const input = { taskId, inputResponses: {} }
        expect(await stranger.error(method, input)).toEqual(NO_TASK)
      }
      const fields = { taskId: forged, inputResponses: {} }
      expect(await client.error(method, fields)).toEqual(NO_TASK)
    }
    for (const { taskId } of [ask, wait]) {
      const { body } = await client.ask('tasks/update', { taskId, inputResponses: {} })
      expect(body.result.resultType).toBe('complete')
      expect((await client.get(taskId)).status).toBe('working')
    }
    expect((await client.error('tasks/get', {})).code).toBe(-32_602)
  })

  it('gives a limited key what people did who confirmed an address, and no ask', async () => {
    await using app = await testApp('sqlite', SENDS_MAILS)
    const owner = await app.owner()
    const talk = await createThread(app, owner)
    const ask = await clientOf(app, owner.key).call('ask', ASK)
    const made = await app.accounts.createKey(owner.email, 'agent', { confirmed_only: true })
    const client = clientOf(app, made.key)
    const { taskId } = await client.call('wait_for_feedback', { page_id: talk.id })
    await talk.post('one', 'Zwieback')
    expect((await client.get(taskId)).status).toBe('working')
    await talk.post('ann@example.com', 'Bread')
    const done = await client.get(taskId)
    expect(jsonIn(done.result).items).toMatchObject([{ comment: { body: 'Bread' } }])
    expect(JSON.stringify(done)).not.toContain('Zwieback')
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const error = await client.error(method, { taskId: ask.taskId })
      expect(error).toMatchObject({ code: -32_603, data: { code: 'scope_missing' } })
    }
    const { id } = (await app.accounts.listKeys(owner.email)).find(({ name }) => name === 'agent')!
    await app.accounts.revokeKey(id)
    expect((await client.ask('tasks/get', { taskId })).status).toBe(401)
  })
})
