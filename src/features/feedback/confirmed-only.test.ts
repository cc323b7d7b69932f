import { describe, expect, it } from 'bun:test'
import { refusesConfirmedOnly, takesSessionOnly } from '../../model/operation.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { agentWith } from '../../testing/mcp.ts'
import { ownerWith } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { createThread } from '../../testing/test-comments.ts'
import { createForm } from '../../testing/test-form.ts'
import { createPoll } from '../../testing/test-poll.ts'

const ANN = 'ann@example.com'
/** In all that somebody wrote who confirmed nothing. */
const MARK = 'zwieback'
const NAMED = { poll_require_email: true, poll_named: true }

/** An account with words of both kinds of viewers in every way there is, and a limited key. */
async function limited(engine: (typeof ENGINES)[number]) {
  const app = await testApp(engine)
  const owner = await app.owner()
  const talk = await createThread(app, owner, {
    collect_approvals: true,
    approver_emails: [ANN],
  })
  const anchor = { quote: `Bring ${MARK}`, prefix: '', suffix: '', element: null }
  const { id } = await talk.post('one', { body: `Why ${MARK}?`, name: MARK, anchor })
  await talk.post(ANN, { body: 'Because', parent_id: id })
  await talk.write('I say', { parent_id: id })
  const { id: mine } = await talk.post(ANN, { body: 'Mine', name: 'Ann' })
  await talk.post('two', { body: `No ${MARK}`, name: MARK, parent_id: mine })
  const form = await createForm(app, owner)
  await form.send('one', { a: MARK }, { name: MARK })
  await app.responses.submit(
    await form.page(),
    app.viewers.viewerOf(await form.page(), { email: ANN }),
    {
      ...{ id: 'submission-of-ann', data: '{"a":"yes"}', name: null, page_version: null },
      ...{ path: '', controls: [] },
    },
  )
  const poll = await createPoll(app, owner, NAMED)
  await poll.vote({ device: 'one', email: ANN }, 'B', { name: 'Ann' })
  const secret = await createPoll(app, owner)
  await secret.vote('one', 'C')
  const closed = await owner.publish('x', { access: 'people', allow_access_requests: true })
  await app.access.requestAccess((await app.pages.find(closed.id))!, `${MARK}@example.com`)
  const made = await app.accounts.createKey(owner.email, 'agent', { confirmed_only: true })
  const pages = [talk.id, form.id, poll.id, secret.id, closed.id]
  return { app, owner, talk, id, mine, pages, agent: ownerWith(app, made.key, owner.email) }
}

/** The answers of every read of the API that takes a key, of every page and file. */
async function readAll(app: TestApp, by: ReturnType<typeof ownerWith>, pages: readonly string[]) {
  const answers: { name: string; status: number; text: string }[] = []
  for (const { contract } of app.operations) {
    const { name, http } = contract
    if (http.method !== 'GET' || takesSessionOnly(contract)) continue
    for (const id of pages) {
      const path = http.path.replace('{id}', id).replace(/\{\+?\w+\}/g, '1')
      const query = 'own' in contract.input.shape ? '?cursor=start&own=true' : ''
      const { headers } = new Request('http://x', {
        headers: { authorization: `Bearer ${by.key}` },
      })
      const answer = await app.api(path + query, { headers })
      answers.push({ name, status: answer.status, text: await answer.text() })
    }
  }
  return answers
}

for (const engine of ENGINES) {
  describe(`a key that is limited to feedback of confirmed people on ${engine}`, () => {
    it('gets what they did, and the words of nobody else', async () => {
      const { app, agent, talk, id } = await limited(engine)
      await using _ = app
      const answer = await agent.ask<{ items: Record<string, unknown>[]; more: boolean }>(
        'GET',
        '/feedback?cursor=start&own=true',
      )
      expect(answer).toMatchObject({
        more: false,
        items: [
          {
            ...{ type: 'reply', comment: { body: 'Because', author: { email: ANN } } },
            thread: {
              ...{ id, body: '', anchor: null, anchor_state: null, anchor_now: null },
              author: { kind: 'anonymous', name: null, email: null },
            },
          },
          { type: 'reply', comment: { body: 'I say' }, thread: { body: '' } },
          { type: 'comment', comment: { body: 'Mine' } },
          { type: 'response', response: { respondent: ANN, data: { a: 'yes' } } },
          { type: 'vote', vote: { email: ANN, option: 'B' } },
        ],
      })
      const { items } = await agent.ask<{ items: object[] }>(
        'GET',
        `/pages/${talk.id}/feedback?cursor=start`,
      )
      expect(items).toHaveLength(2)
      expect(JSON.stringify([answer, items])).not.toContain(MARK)
    })

    it('waits for them, whatever others do meanwhile', async () => {
      const { app, agent, talk, owner } = await limited(engine)
      await using _ = app
      const waiting = agent.ask<{ items: { comment: { body: string } }[] }>(
        'GET',
        '/feedback?wait_s=20',
      )
      const own = owner.ask<{ items: { comment: { body: string } }[] }>(
        'GET',
        '/feedback?wait_s=20',
      )
      while (app.feedback.countWaits() < 2) await Bun.sleep(5)
      await talk.post('one', `Not this ${MARK}`)
      expect((await own).items.map(({ comment }) => comment.body)).toEqual([`Not this ${MARK}`])
      await talk.post(ANN, 'But this')
      expect((await waiting).items.map(({ comment }) => comment.body)).toEqual(['But this'])
    })

    it('reads no word of others in any answer of REST or MCP, which the other key does', async () => {
      const { app, agent, owner, pages, id } = await limited(engine)
      await using _ = app
      const marked = new Set<string>()
      for (const { name, text } of await readAll(app, owner, pages)) {
        if (text.includes(MARK)) marked.add(name)
      }
      expect([...marked].toSorted()).toEqual([
        ...['getFeedback', 'getInbox', 'getPageFeedback', 'listAccessRequests', 'listComments'],
        'listResponses',
      ])
      for (const { name, status, text } of await readAll(app, agent, pages)) {
        expect([name, text.includes(MARK)]).toEqual([name, false])
        if (marked.has(name) && !/feedback/i.test(name)) {
          expect([name, status, JSON.parse(text).error]).toEqual([
            ...[name, 403],
            expect.objectContaining({ code: 'scope_missing', scope: 'confirmed_only' }),
          ])
        }
      }
      const client = agentWith(app, agent.key)
      for (const { name } of (await client.ask('tools/list')).result.tools) {
        for (const page_id of pages) {
          for (const fields of [{ page_id }, {}, { page_id, cursor: 'start', own: true }]) {
            expect([name, JSON.stringify(await client.call(name, fields))]).toEqual([
              name,
              expect.not.stringContaining(MARK),
            ])
          }
        }
      }
      const path = `/pages/${pages[0]}/comments/${id}`
      const { body } = await agent.refused('PATCH', path, { is_hidden: true })
      expect(body.error.code).toBe('scope_missing')
    })

    it('publishes, changes and answers as any key', async () => {
      const { app, agent, talk, mine } = await limited(engine)
      await using _ = app
      const page = await agent.publish('<title>Of the agent</title>')
      expect(await agent.html(page.id)).toContain('Of the agent')
      const change = { publish: true, addresses: [mine] }
      await agent.edit(talk.id, 'Berlin', 'Bern', change)
      const reply = { body: 'Done', parent_id: mine }
      const sent = await agent.ask<object>('POST', `/pages/${talk.id}/comments`, reply)
      expect(sent).toMatchObject({ body: 'Done', replies: [] })
    })

    it('is made in the app and listed as such, and is so on every node', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const browser = await sessionOf(app, owner.email)
      const input = { name: 'agent', confirmed_only: true }
      const made = await browser.ask<{ key: string }>('POST', '/keys', input)
      const listed = await browser.ask<{ name: string; confirmed_only: boolean }[]>('GET', '/keys')
      expect(listed).toMatchObject([{ confirmed_only: false }, input])
      const node = engine === 'postgres' ? await app.node() : app
      const agent = ownerWith(node, made.key, owner.email)
      expect((await agent.refused('GET', '/inbox')).body.error.code).toBe('scope_missing')
      expect((await agent.refused('GET', '/keys')).body.error.code).toBe('session_only')
    })
  })
}

it('an operation about viewers refuses such a key unless its contract says otherwise', async () => {
  await using app = await testApp('sqlite')
  const allowed = app.operations
    .map(({ contract }) => contract)
    .filter((contract) => !takesSessionOnly(contract) && !refusesConfirmedOnly(contract))
  const ofViewers = allowed.filter(({ takesConfirmedOnly }) => takesConfirmedOnly)
  expect(ofViewers.map(({ name }) => name).toSorted()).toEqual([
    ...['createComment', 'deleteComment', 'getFeedback', 'getPageFeedback', 'invitePeople'],
    ...['listInvitations', 'makePersonalLink', 'replyToComments', 'requestApprovals'],
    'resolveComments',
  ])
  expect(
    new Set(allowed.filter((each) => !ofViewers.includes(each)).map(({ tag }) => tag)),
  ).toEqual(new Set(['Pages', 'HTML', 'Versions', 'Uploads', 'Account']))
})
