import { describe, expect, it } from 'bun:test'
import { takesSessionOnly } from '../../model/operation.ts'
import { ENGINES, type TestApp } from '../../testing/app.ts'
import { agentWith } from '../../testing/mcp.ts'
import type { ownerWith } from '../../testing/people.ts'
import { limited, MARK } from './confirmed-only.suite.ts'

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
  })
}
