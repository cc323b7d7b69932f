import { describe, expect, it } from 'bun:test'
import { refusesConfirmedOnly, takesSessionOnly } from '../../model/operation.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { ownerWith } from '../../testing/people.ts'
import { sessionOf } from '../../testing/signed-in.ts'
import { ANN, limited, MARK } from './confirmed-only.suite.ts'

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
