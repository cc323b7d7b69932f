/** A page made of Markdown: what its visitors, its owner and an agent read of it. */
import { expect, test } from 'bun:test'
import { pro, send, visitor } from './client.ts'
import { word } from './material.ts'
import { agent, slugIn, TRANSPORTS } from './mcp-client.ts'

const accept = { accept: 'text/markdown' }

test('to Accept: text/markdown a page of Markdown answers its source, behind its gate, as one view', async () => {
  const text = `# Plan\n\n*  ${word('one')}[^1]\n\n[^1]: __Note__\n`
  const markdown = `---\ntitle: Plan\nreviewer: ann\n---\n${text}`
  const page = await pro.publish({ markdown, max_views: 1 })
  const answer = await send(`/p/${page.slug}`, { headers: accept })
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(answer.text).toBe(`---\ntitle: "Plan"\nurl: "${page.url}"\n---\n\n${text}`)
  expect((await pro.page(page.id)).views).toBe(1)
  const after = await send(`/p/${page.slug}`, { headers: accept })
  expect([after.status, after.text]).toEqual([410, expect.not.stringContaining('Note')])
  const gated = await pro.publish({ markdown, access: 'password', password: 'abcd' })
  const gate = await send(`/p/${gated.slug}`, { headers: accept })
  expect([gate.status, gate.text]).toEqual([403, expect.not.stringContaining('Note')])
})

test('what a page of Markdown does not show is in no answer to a visitor', async () => {
  const markdown = '# Plan\n\n<!-- ask Ann -->\n\n*  One\n\n[//]: # (nor Bob)\n'
  const { slug } = await pro.publish({ markdown })
  const answer = await send(`/p/${slug}`, { headers: accept })
  expect(answer.text).toContain('# Plan\n\n- One')
  expect(answer.text).not.toMatch(/Ann|Bob/)
  expect((await visitor.open(slug)).text).not.toContain('Bob')
  expect((await send(`/p/${slug}/index.md`)).status).toBe(404)
})

test('an agent reads and edits the Markdown alone', async () => {
  for (const transport of TRANSPORTS) {
    await using it = await agent(transport)
    const markdown = '# Plan\n\nWe start on **9 May**.\n'
    const { id } = await pro.publish({ markdown })
    const read = await it.call('get_page_html', { page_id: id })
    expect(read.json.data).toMatchObject({ kind: 'single', markdown })
    expect(read.text).not.toContain('<strong>')
    const edits = [{ find: '**9 May**', replace: '**16 May**' }]
    const edited = await it.call('edit_page', { page_id: id, edits, publish: true })
    expect((await visitor.open(slugIn(edited))).text).toContain('<strong>16 May</strong>')
    const whole = await it.call('get_page_html', { page_id: id, full: true })
    expect(whole.json.data.html).toContain('<strong>16 May</strong>')
  }
})
