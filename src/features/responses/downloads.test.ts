import { describe, expect, it } from 'bun:test'
import { Download } from '../../model/download.ts'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { createForm, outcomeOf, type TestForm, times } from '../../testing/test-form.ts'
import { responseQuery } from './contract.ts'
import { createResponses } from './index.ts'

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

    it('has the state at its start, although responses are sent and deleted meanwhile', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await fill(form)
      const chunks = await download(form, app.responses)
      const first = (await chunks.next()).value as string
      const { responses } = await form.report('?limit=1000')
      await owner.call('DELETE', `/pages/${form.id}/responses/${responses.at(-1)!.id}`)
      await form.send('d0', { a: 'changed' })
      await form.send('new', { a: 'new' })
      let text = first
      for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) text += chunk
      for (const { id } of responses) expect(text.split(id)).toHaveLength(2)
      expect(text).not.toContain('changed')
      expect(text.split('\r\n')).toHaveLength(42)
    })

    it('that is not read ends with an error and makes way for another', async () => {
      await using app = await testApp(engine)
      const forms = await Promise.all(times(2, async () => createForm(app, await app.owner())))
      const [form, other] = forms as [TestForm, TestForm]
      for (const each of forms) await fill(each)
      const shortTimeout = createResponses({
        ...app,
        limitsOf: async () => DEFAULT_PLANS.pro.limits,
        formsOf: async () => ({ collecting: true, controls: [] }),
        recordEvent: async () => {},
        idleTimeoutMs: 400,
      })
      const six = [form, form, form, other, other, other]
      const paused = await Promise.all(six.map((each) => download(each, shortTimeout)))
      await paused[0]!.next()
      expect(await outcomeOf(download(form, shortTimeout))).toBe('rate_limited')
      await Bun.sleep(700)
      for (const chunks of paused) await expect(chunks.next()).rejects.toThrow('has ended')
      const after = await Promise.all(six.map((each) => download(each, shortTimeout)))
      for (const chunks of after) {
        expect((await chunks.next()).done).toBe(false)
        await chunks.return?.()
      }
      expect(await outcomeOf(download(form, shortTimeout))).toBe('stored')
    })

    it('of one account does not prevent those of another', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const other = await createForm(app, await app.owner())
      for (const each of [form, other]) await fill(each)
      const own = await Promise.all(times(4, () => download(form, app.responses)))
      for (let tries = 0; tries < 5; tries++) {
        expect(await outcomeOf(download(form, app.responses))).toBe('rate_limited')
      }
      const theirs = await download(other, app.responses)
      await own[0]!.return?.()
      own.push(await download(form, app.responses))
      for (const each of [...own, theirs]) await each.return?.()
    })

    it('that is aborted, refused or complete makes way for another', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner)
      await fill(form)
      const path = `/pages/${form.id}/responses?format=csv`
      for (let at = 0; at < 12; at++) {
        expect((await owner.refused('GET', `${path}&explode=none-such`)).status).toBe(400)
        expect((await owner.call('GET', path)).status).toBe(200)
        const headers = { authorization: `Bearer ${owner.key}` }
        const broken = await app.api(path, { headers })
        await broken.body!.cancel()
      }
      expect((await form.report()).total).toBe(40)
    })
  })
}
