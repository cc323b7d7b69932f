import { describe, expect, it } from 'bun:test'
import { Download } from '../../model/download.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { createForm, type TestForm, times } from '../../testing/test-form.ts'
import { responseQuery } from './contract.ts'

const CSV = responseQuery.parse({ format: 'csv' })

async function download(form: TestForm, responses: TestApp['responses']) {
  const answer = await responses.list(await form.page(), CSV)
  if (!(answer instanceof Download)) throw new Error('Not a download')
  return answer.chunks[Symbol.asyncIterator]()
}

/** Stores enough responses for several pieces. */
async function fill(form: TestForm): Promise<void> {
  await Promise.all(times(40, (at) => form.send(`d${at}`, { a: `${at} ${'x'.repeat(8000)}` })))
}

for (const engine of ENGINES) {
  describe(`a download on ${engine}`, () => {
    it('is a file with every match, newest first, regardless of limit and offset', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { title: 'Team / "lunch"' })
      for (const a of ['=1+1', 'b,"c"', 'é\nf']) await form.send(a, { a }, { name: 'Ann' })
      const path = `/pages/${form.id}/responses?format=csv`
      const { headers, body } = await owner.call<string>('GET', `${path}&limit=1&offset=2`)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="Team {3}.*lunch.*-responses\.csv"/,
      )
      // `text()` removes the byte order mark.
      const lines = body.replace('\ufeff', '').split('\r\n')
      expect(lines[0]).toEndWith(',a')
      expect(lines.slice(1).map((line) => line.slice(line.indexOf(',Ann,')))).toMatchObject([
        expect.stringMatching(/"é\nf"$/),
        expect.stringMatching(/"b,""c"""$/),
        expect.stringMatching(/'=1\+1$/),
        '',
      ])
      const { responses } = await form.report()
      const since = await owner.call<string>('GET', `${path}&since=${responses[1]!.submitted_at}`)
      expect(since.body).toContain(responses[0]!.id)
      expect(since.body).not.toContain(responses[1]!.id)
    })

    it('has each response of its start once, although others are sent and deleted meanwhile', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await fill(form)
      const chunks = await download(form, app.responses)
      const first = (await chunks.next()).value as string
      const { responses } = await form.report('?limit=1000')
      const gone = responses.pop()!
      await owner.call('DELETE', `/pages/${form.id}/responses/${gone.id}`)
      await form.send('d0', { a: 'changed' })
      const { id: later } = await form.send('new', { a: 'new' })
      let text = first
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) text += chunk
      for (const { id } of responses) expect(text.split(id)).toHaveLength(2)
      expect(text).not.toContain(later)
    })
  })
}
