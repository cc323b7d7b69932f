import { describe, expect, it } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { createForm, outcomeOf } from '../../testing/test-form.ts'

const FIELD = '<title>F</title><form data-service><input name="a" data-label="A"></form>'

for (const engine of ENGINES) {
  describe(`viewers on ${engine}`, () => {
    it('are shown by address or alias and the given name, never by key', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { access: 'email_gate' })
      const page = await form.page()
      const viewer = app.viewers.viewerOf(page, { email: 'ann@example.com' })
      const about = { page_version: page.published_at, path: 'a/b.html', controls: [] }
      const data = '{"name":" Ann \\u0000\\n A. "}'
      await app.responses.submit(page, viewer, { id: 'by-address', data, name: null, ...about })
      await form.send('device', { a: 1 }, { name: '<script>\u0000\u202e' })
      const { responses } = await form.report()
      const { displayName: respondent } = app.viewers.viewerOf(page, { device: 'device' })
      expect(responses).toMatchObject([
        { respondent, name: '<script>', page_version: null, path: '' },
        {
          ...{ respondent: 'ann@example.com', name: 'Ann A.' },
          ...{ page_version: page.published_at, path: 'a/b.html' },
        },
      ])
      const result = JSON.stringify(await form.report())
      expect(result).not.toContain(viewer.key)
      expect(Object.keys(responses[0]!).sort()).toEqual(
        [
          ...['created_at', 'data', 'id', 'name', 'page_version', 'path', 'respondent'],
          ...['submit_count', 'submitted_at', 'values'],
        ].sort(),
      )
    })
  })

  describe(`a submission on ${engine}`, () => {
    it('is returned as it was sent, with any keys and values', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      const sent = [
        '{"2":"b","1":"a","__proto__":{"x":1},"constructor":null}',
        '{"n":12345678901234567890,"z":1e2,"nul":"\\u0000","half":"\\ud800"}',
        `{"quote":"'; DROP TABLE responses; --","html":"</script><b>","$1":"$2"}`,
      ]
      for (const [at, data] of sent.entries()) await form.send(`d${at}`, data)
      const answer = await app.api(`/pages/${form.id}/responses?explode=none`, {
        headers: { authorization: `Bearer ${await keyOf(app, form.id)}` },
      })
      const text = await answer.text()
      for (const data of sent) expect(text).toContain(`"data":${data}`)
      expect((await form.verifiedCounter()).bytes).toBe(sent.join('').length)
    })

    it('that is not an object, or too large, is refused', async () => {
      await using app = await testApp(engine)
      const form = await createForm(app, await app.owner())
      for (const data of ['', '1', '[]', 'null', '{"a":', `{"a":"\ud800"}`]) {
        expect(await outcomeOf(form.send('one', data))).toBe('invalid_data')
      }
      expect(await outcomeOf(form.send('one', { a: 'x'.repeat(256 * 1024) }))).toBe('too_large')
      expect(await app.rows('responses')).toEqual([])
      expect(await form.verifiedCounter()).toEqual({ count: 0, bytes: 0 })
    })

    it('is stored with the form’s controls that the published page does not have', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const form = await createForm(app, owner, { html: FIELD })
      const controls = [
        { name: 'a', label: 'Forged', kind: 'number' as const },
        { name: 'made', label: 'Made later', kind: 'choice' as const },
      ]
      await form.send('one', { a: '1', made: 'x' }, { controls })
      const [row] = await app.rows('responses')
      expect(JSON.parse(row!.controls!)).toEqual([controls[1]])
      const { fields } = await form.report()
      expect(fields).toEqual([
        { key: 'a', label: 'A', type: 'text' },
        { key: 'made', label: 'Made later', type: 'choice' },
      ])
      await owner.call('DELETE', `/pages/${form.id}/publish`)
      const { status, fields: ofDraft } = await form.report()
      expect(status.collecting).toBe(false)
      expect(ofDraft).toEqual(fields)
    })
  })
}

async function keyOf(app: Awaited<ReturnType<typeof testApp>>, pageId: string): Promise<string> {
  const page = (await app.pages.find(pageId))!
  const { email } = (await app.accounts.find(page.account_id))!
  return (await app.accounts.createKey(email, 'another')).key
}
