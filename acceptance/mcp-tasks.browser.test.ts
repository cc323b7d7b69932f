/** An agent whose client knows tasks asks two people, who answer in Chromium over a restart of the server. */
import { afterAll, expect } from 'bun:test'
import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { SMTPServer } from 'smtp-server'
import { z } from 'zod'
import { dataOf, ownerOf } from './client.ts'
import { newEmail, own } from './gates/setup.ts'
import { word } from './material.ts'
import { overHttp, overStdio, speaking, TRANSPORTS, type TransportName } from './mcp-client.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'
import { testBrowser } from './test-browser.ts'
import { EDIT, expectBothAnswered, PLAN, TOLD, twoPeople } from './two-people.ts'

const TASKS = 'io.modelcontextprotocol/tasks'
const TIMEOUT = 240_000
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
async function agent(
  transport: TransportName,
  { url, key }: { url: string; key: string },
  extensions: Record<string, Record<string, never>> = { [TASKS]: {} },
) {
  const client = new Client(
    { name: 'handbill-acceptance', version: '1.0.0' },
    { capabilities: { extensions }, ...speaking('2026-07-28') },
  )
  const channel = transport === 'http' ? overHttp({ url, key }) : overStdio({ url, key })
  await client.connect(channel)
  let last: unknown
  const { onmessage } = channel
  channel.onmessage = (message: JSONRPCMessage) => {
    last = message
    onmessage?.(message)
  }
  return {
    client,
    /** Calls a tool. @returns the task that it answers */
    async start(name: string, args: object): Promise<Task> {
      const call = client.callTool({ name, arguments: { ...args } })
      await expect(call).rejects.toThrow("Unsupported result type 'task'")
      return task.parse((last as { result: unknown }).result)
    },
    request: (method: string, params: object) =>
      client.request({ method, params: { ...params } }, z.looseObject({})),
    get: (taskId: string): Promise<Task> =>
      client.request({ method: 'tasks/get', params: { taskId } }, task),
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

for (const transport of TRANSPORTS) {
  own(
    `an agent with tasks asks two people, over ${transport}: they answer over a restart, and both see its edit`,
    async () => {
      const mails = await mailServer()
      const env: Record<string, string> = { ...freshEnvironment(), SMTP_URL: mails.url }
      let running = await start(env)
      const url = env.BASE_URL!
      const [key, otherKey] = [await newKey(env, 'pro'), await newKey(env, 'pro')]
      const by = ownerOf(key, url)
      const people = [newEmail('ann'), newEmail('ben')] as const

      await using it = await agent(transport, { url, key })
      expect(it.client.getServerCapabilities()?.extensions).toMatchObject({ [TASKS]: {} })
      const page = await by.publish({ html: PLAN, title: word('Plan'), allow_comments: true })
      const page_id = page.id
      const asking = { page_id, people, question: { kind: 'approval' } }
      const result = await it.start('ask', asking)
      expect(result.status).toBe('working')
      const waiting = await it.start('wait_for_feedback', { page_id })
      const unwanted = await it.start('wait_for_feedback', { page_id })
      await it.request('tasks/cancel', { taskId: unwanted.taskId })
      async function linkOf(email: string): Promise<string> {
        const input = { email, purpose: 'approve' }
        const made = await by.call('POST', `/pages/${page_id}/personal-links`, input)
        return dataOf<{ url: string }>(made, 201).url
      }
      const both = await twoPeople(browser(), [await linkOf(people[0]), await linkOf(people[1])])
      await both.annComments()

      expect(await running.stop()).toBe(0)
      running = await start(env)

      expect(await it.get(result.taskId)).toMatchObject({
        ...{ status: 'working', createdAt: result.createdAt },
        statusMessage: '0 of 2 have answered.',
      })
      const { items } = resultOf(await it.get(waiting.taskId))
      expect(items).toMatchObject([TOLD])
      expect((await it.get(unwanted.taskId)).status).toBe('cancelled')
      await both.bothDecide()
      expectBothAnswered(resultOf(await it.get(result.taskId)), people)
      const addressing = { page_id, ...EDIT, addresses: [items[0].comment.id] }
      const edited = await it.client.callTool({ name: 'edit_page', arguments: addressing })
      expect(edited.isError, JSON.stringify(edited.content)).toBeFalsy()
      await both.bothSeeEdit()
      await both.close()

      const soon = new Date(Date.now() + 1500).toISOString()
      const late = await it.start('ask', { ...asking, due_at: soon })
      const cancelled = await it.start('ask', asking)
      await it.request('tasks/update', { taskId: cancelled.taskId, inputResponses: {} })
      expect((await it.get(cancelled.taskId)).status).toBe('working')
      await it.request('tasks/cancel', { taskId: cancelled.taskId })
      expect((await it.get(cancelled.taskId)).status).toBe('cancelled')
      await Bun.sleep(1600)
      expect(resultOf(await it.get(late.taskId))).toMatchObject({
        ...{ outcome: 'deadline', answered: [], waiting: people },
      })

      await using stranger = await agent(transport, { url, key: otherKey })
      for (const { taskId } of [result, waiting, { taskId: 'ask_\n' }]) {
        for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
          const refused = stranger.request(method, { taskId, inputResponses: {} })
          await expect(refused).rejects.toThrow('There is no such task.')
        }
      }
      await using plain = await agent(transport, { url, key }, {})
      const { content } = await plain.client.callTool({ name: 'wait_for_feedback', arguments: {} })
      expect(JSON.stringify(content)).toContain('cursor')
      await expect(plain.get(result.taskId)).rejects.toThrow('capabilit')
      expect(await running.stop()).toBe(0)
      mails.stop()
    },
    TIMEOUT,
  )
}
