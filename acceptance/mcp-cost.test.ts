/**
 * What the usual tasks of an agent cost a model: calls and bytes, with the official client. The
 * table in docs/mcp.md has the bounds.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { approver, confirmed } from './approvals/approver.ts'
import { type Page, pro } from './client.ts'
import { panelOf } from './comments/panel.ts'
import { newEmail } from './gates/setup.ts'
import { html, pdfOfSize, word } from './material.ts'
import { type Agent, type Answer, agent, untrustedIn } from './mcp-client.ts'
import { voter } from './polls/voter.ts'
import { FORM, viewer } from './responses/viewer.ts'

const TIMEOUT = 60_000
const LINES = Array.from(
  { length: 330 },
  (_, n) =>
    `<p>Line ${n} of a plan for the launch, with some words that fill it up to ninety bytes.</p>`,
)
const LONG = html(LINES.join('\n'))
const DECK = Array.from({ length: 12 }, (_, n) => ({
  path: n === 0 ? 'index.html' : `part-${n}.html`,
  html: html(LINES.slice(0, 40).join('\n'), `Part ${n}`),
}))

interface Cost {
  calls: number
  sent: number
  answered: number
}

let it: Agent
let cost: Cost

/** Calls a tool, which must not fail, and counts it. */
async function call(name: string, args: object): Promise<Answer> {
  const answer = await it.call(name, args)
  expect(answer.isError, answer.text).toBe(false)
  cost.calls += 1
  cost.sent += Buffer.byteLength(JSON.stringify({ name, arguments: args }))
  cost.answered += Buffer.byteLength(answer.text)
  return answer
}

async function publish(fields: object): Promise<Page> {
  const made = await it.call('publish_page', { html: html('words', word('Plan')), ...fields })
  return pro.page(made.json.data.id)
}

const bounds = new Map<string, Cost>()

beforeAll(async () => {
  it = await agent('http')
  const docs = await Bun.file(join(import.meta.dir, '../docs/mcp.md')).text()
  for (const [, task, ...figures] of docs.matchAll(
    /^\| (.+?) \| (\d+) \| ([\d,]+) \| ([\d,]+) \|$/gm,
  )) {
    const [calls, sent, answered] = figures.map((figure) => Number(figure.replace(',', '')))
    bounds.set(task!, { calls: calls!, sent: sent!, answered: answered! })
  }
})
afterAll(() => it[Symbol.asyncDispose]())

const TASKS: Record<string, () => Promise<void>> = {
  async 'list the tools'() {
    const { tools } = await it.client.listTools()
    cost = { calls: 1, sent: 0, answered: Buffer.byteLength(JSON.stringify({ tools })) }
  },
  async 'publish a page of 30 KB'() {
    const { json } = await call('publish_page', { html: LONG })
    expect(json.received.size_bytes).toBe(LONG.length)
  },
  async 'fix three words of it'() {
    const { id } = await publish({ html: LONG })
    cost = { calls: 0, sent: 0, answered: 0 }
    const answer = await call('get_page_html', { page_id: id, find: 'Line 7 of' })
    expect(answer.json.data).toMatchObject({ kind: 'matches', count: 1, matches: [{ line: 8 }] })
    const edits = [7, 8, 9].map((n) => ({ find: `Line ${n} of`, replace: `Row ${n} of` }))
    await call('edit_page', { page_id: id, edits, publish: true })
    expect((await pro.html(id)).html).toContain('<p>Row 9 of')
  },
  async 'publish a deck of 12 files'() {
    await call('publish_page', { files: DECK })
  },
  async 'read one file of it'() {
    const { id } = await publish({ html: undefined, files: DECK })
    const { json } = await call('get_page_html', { page_id: id, file: 'part-7.html' })
    expect(json.data.files).toEqual([DECK[7]!])
    expect(json.data.assets).toBeUndefined()
    // JSON escapes the ends of lines and the quotes.
    expect(cost.answered).toBeLessThan(JSON.stringify(DECK[7]!.html).length + 300)
  },
  async 'publish a PDF of 6 MB'() {
    const { json } = await call('create_upload', {})
    const put = await fetch(json.data.url, {
      method: 'PUT',
      body: pdfOfSize(6_000_000) as BodyInit,
    })
    expect(put.status).toBe(201)
    await call('publish_file', { file_upload: json.data.id, filename: 'report.pdf' })
  },
  async 'protect a page by a password'() {
    const { id } = await publish({})
    const { text, json } = await call('update_page', { page_id: id, access: 'password' })
    expect(text).toStartWith('Open to anyone with the password.')
    expect(json.data.password).toBeString()
    expect(cost.calls).toBe(1)
    expect(cost.sent + cost.answered).toBeLessThan(900)
  },
  async 'read 200 responses'() {
    const page = await publish({ html: FORM })
    for (let n = 0; n < 200; n += 1) {
      await viewer().respond(page, { remarks: `I can come at ${n}.`, colour: 'red', days: ['mo'] })
    }
    cost = { calls: 0, sent: 0, answered: 0 }
    const { data } = untrustedIn(await call('get_responses', { page_id: page.id }))
    expect(data).toMatchObject({ total: 200, next_offset: 20, status: { count: 200 } })
    expect(data.responses).toHaveLength(20)
    expect(data.responses[0].data.remarks).toBe('I can come at 199.')
    expect(cost.answered).toBeLessThan(12 * 1024)
  },
  async 'answer 30 comments by a change'() {
    const page = await publish({ allow_comments: true })
    const panel = await panelOf(page)
    for (let n = 0; n < 30; n += 1) await panel.comment(`Number ${n} should be larger.`)
    cost = { calls: 0, sent: 0, answered: 0 }
    const listed = untrustedIn(await call('list_comments', { page_id: page.id, state: 'open' }))
    expect(listed.data).toHaveLength(30)
    await call('edit_page', {
      ...{ page_id: page.id, edits: [{ find: 'words', replace: 'larger words' }], publish: true },
      addresses: listed.data.map(({ id }: { id: string }) => id),
    })
  },
  async 'ask two approvers and read their decisions'() {
    const people = [newEmail('ann'), newEmail('ben')]
    const page = await publish({})
    cost = { calls: 0, sent: 0, answered: 0 }
    const approvers = { collect_approvals: true, approver_emails: people }
    await call('update_page', { page_id: page.id, ...approvers })
    await call('request_approvals', { page_id: page.id })
    for (const email of people) await approver(await confirmed(email)).decide(page)
    const { data } = untrustedIn(await call('get_approvals', { page_id: page.id }))
    expect(data.counts.approved).toBe(2)
  },
  async 'add a poll and read its votes'() {
    const page = await publish({})
    cost = { calls: 0, sent: 0, answered: 0 }
    const poll = { poll_question: 'Which?', poll_options: ['A', 'B'] }
    await call('update_page', { page_id: page.id, collect_votes: true, ...poll })
    await voter().vote(page, 'A')
    const { data } = untrustedIn(await call('get_poll', { page_id: page.id }))
    expect(data.total_votes).toBe(1)
  },
  async 'undo an edit'() {
    const page = await publish({})
    const edit = { page_id: page.id, edits: [{ find: 'words', replace: 'x' }], publish: true }
    const { edits } = (await it.call('edit_page', edit)).json
    cost = { calls: 0, sent: 0, answered: 0 }
    const version = { version_no: edits.previous_version, publish: true }
    await call('restore_version', { page_id: page.id, ...version })
    expect((await pro.html(page.id)).html).toContain('words')
  },
  async 'wait for a comment'() {
    const page = await publish({ allow_comments: true })
    cost = { calls: 0, sent: 0, answered: 0 }
    const first = call('wait_for_feedback', { page_id: page.id, wait_s: 50 })
    await Bun.sleep(200)
    await (await panelOf(page)).comment('Ten would be better.')
    const { data } = untrustedIn(await first)
    expect(data.items).toMatchObject([{ comment: { body: 'Ten would be better.' } }])
  },
}

const NAMES = Object.keys(TASKS)

test.each(NAMES)(
  'a task stays within its calls and bytes: %s',
  async (name) => {
    cost = { calls: 0, sent: 0, answered: 0 }
    await TASKS[name]!()
    const bound = bounds.get(name)
    if (process.env.COSTS)
      console.log(`| ${name} | ${cost.calls} | ${cost.sent} | ${cost.answered} |`)
    expect(bound, 'docs/mcp.md has the task').toBeDefined()
    expect(cost.calls).toBe(bound!.calls)
    expect(cost.sent).toBeLessThanOrEqual(bound!.sent)
    expect(cost.answered).toBeLessThanOrEqual(bound!.answered)
  },
  TIMEOUT,
)

test('docs/mcp.md lists these tasks alone', () => {
  expect([...bounds.keys()].sort()).toEqual(NAMES.sort())
})
