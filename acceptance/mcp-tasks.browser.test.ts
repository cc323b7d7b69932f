/** An agent whose client knows tasks asks two people in Chromium, over a restart of the server. */
import { afterAll, expect } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import { dataOf, ownerOf, type Page } from './client.ts'
import { newEmail, own } from './gates/setup.ts'
import { word } from './material.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'
import { testBrowser } from './test-browser.ts'

const TASKS = 'io.modelcontextprotocol/tasks'
const TIMEOUT = 60_000
const FORM = `<!doctype html><title>Survey</title><form data-service data-success="We have it.">
<label>Age <input type="number" name="age"></label><button>Send</button></form>`
const browser = testBrowser()

afterAll(cleanUp)

const task = z.looseObject({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'cancelled', 'failed']),
  createdAt: z.iso.datetime(),
  lastUpdatedAt: z.iso.datetime(),
  ttlMs: z.int(),
  pollIntervalMs: z.int(),
  result: z.looseObject({ content: z.array(z.object({ text: z.string() })) }).optional(),
})
type Task = z.output<typeof task>

/** The official client of 2026. Its SDK takes no tasks itself: what it got is read beside it. */
async function agent(url: string, key: string, extensions: Record<string, Record<string, never>>) {
  const client = new Client(
    { name: 'handbill-acceptance', version: '1.0.0' },
    { capabilities: { extensions }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  let last: unknown
  async function recorded(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request)
    last = await response.clone().json()
    return response
  }
  const headers = { authorization: `Bearer ${key}` }
  const options = { requestInit: { headers }, fetch: recorded }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), options))
  return {
    client,
    /** Calls a tool. @returns the task that it answers */
    async start(name: string, args: object): Promise<Task> {
      const call = client.callTool({ name, arguments: { ...args } })
      await expect(call).rejects.toThrow("Unsupported result type 'task'")
      return task.parse((last as { result: unknown }).result)
    },
    get: (taskId: string): Promise<Task> =>
      client.request({ method: 'tasks/get', params: { taskId } }, task),
    cancel: (taskId: string) =>
      client.request({ method: 'tasks/cancel', params: { taskId } }, z.looseObject({})),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function resultOf({ status, result }: Task) {
  expect(status).toBe('completed')
  const [, json] = /^<untrusted>\n(.*)\n<\/untrusted>$/m.exec(result!.content[0]!.text) ?? []
  return JSON.parse(json!).data
}

/** A mail server that takes everything: people get their links by the API here. */
async function mailServer() {
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => stream.resume().on('end', () => done(null)),
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, stop: () => smtp.close(() => {}) }
}

own(
  'an agent with tasks asks two people: both answer in browsers over a restart, and its task has what they said',
  async () => {
    const mails = await mailServer()
    const env: Record<string, string> = { ...freshEnvironment(), SMTP_URL: mails.url }
    let running = await start(env)
    const url = env.BASE_URL!
    const [key, otherKey] = [await newKey(env, 'pro'), await newKey(env, 'pro')]
    const by = ownerOf(key, url)
    const people = [newEmail('ann'), newEmail('ben')] as const

    async function fillIn(page: Page, email: string, age: number): Promise<void> {
      const given = { email, purpose: 'view' }
      const link = dataOf<{ url: string }>(
        await by.call('POST', `/pages/${page.id}/personal-links`, given),
        201,
      )
      const context = await browser().newContext({ reducedMotion: 'reduce' })
      const tab = await context.newPage()
      await tab.goto(link.url)
      await tab.getByRole('button').first().click()
      await tab.getByLabel('Age').fill(String(age))
      await tab.getByRole('button', { name: 'Send' }).click()
      await tab.getByText('We have it.').waitFor()
      await context.close()
    }

    await using it = await agent(url, key, { [TASKS]: {} })
    expect(it.client.getServerCapabilities()?.extensions).toMatchObject({ [TASKS]: {} })
    const form = { html: FORM, people, question: { kind: 'form' } }
    const asked = await it.start('ask', { ...form, title: word('Survey') })
    expect(asked.status).toBe('working')
    const { page: named } = dataOf<{ page: Page }>(await by.call('GET', `/asks/${asked.taskId}`))
    const page = dataOf<Page>(await by.call('GET', `/pages/${named.id}`))
    const waiting = await it.start('wait_for_feedback', { page_id: page.id, types: 'response' })
    await fillIn(page, people[0], 31)

    expect(await running.stop()).toBe(0)
    running = await start(env)

    expect(await it.get(asked.taskId)).toMatchObject({
      ...{ status: 'working', createdAt: asked.createdAt },
      statusMessage: '1 of 2 have answered.',
    })
    const { items } = resultOf(await it.get(waiting.taskId))
    expect(items).toMatchObject([{ type: 'response', response: { data: { age: 31 } } }])
    await fillIn(page, people[1], 47)
    expect(resultOf(await it.get(asked.taskId))).toMatchObject({
      ...{ outcome: 'all_answered', waiting: [], page: { id: page.id } },
      answered: [
        { who: people[0], answer: { data: { age: 31 } } },
        { who: people[1], answer: { data: { age: 47 } } },
      ],
    })

    const soon = new Date(Date.now() + 1500).toISOString()
    const late = await it.start('ask', { ...form, title: word('Late'), due_at: soon })
    const cancelled = await it.start('ask', { ...form, title: word('Not any more') })
    await it.cancel(cancelled.taskId)
    expect((await it.get(cancelled.taskId)).status).toBe('cancelled')
    await Bun.sleep(1600)
    expect(resultOf(await it.get(late.taskId))).toMatchObject({
      ...{ outcome: 'deadline', answered: [], waiting: people },
    })

    await using stranger = await agent(url, otherKey, { [TASKS]: {} })
    for (const { taskId } of [asked, waiting]) {
      await expect(stranger.get(taskId)).rejects.toThrow('There is no such task.')
      await expect(stranger.cancel(taskId)).rejects.toThrow('There is no such task.')
    }
    await using plain = await agent(url, key, {})
    const { content } = await plain.client.callTool({ name: 'wait_for_feedback', arguments: {} })
    expect(JSON.stringify(content)).toContain('cursor')
    await expect(plain.get(asked.taskId)).rejects.toThrow('capabilit')
    expect(await running.stop()).toBe(0)
    mails.stop()
  },
  TIMEOUT,
)
