/** A server that is killed while many write and others read what they wrote. */
import { afterAll, expect } from 'bun:test'
import { type FreshDatabase, freshDatabase } from '../src/testing/postgres.ts'
import { own } from './gates/setup.ts'
import { html } from './material.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const databases: FreshDatabase[] = []
afterAll(async () => {
  await cleanUp()
  for (const { drop } of databases) await drop()
})

const ENGINES: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  SQLite: async () => ({}),
  async PostgreSQL() {
    const fresh = await freshDatabase()
    databases.push(fresh)
    return { DATABASE_URL: fresh.url, SECRET_KEY: 'a key of its own: 0123456789 0123456789' }
  },
}

const WRITERS = 32
const READERS = 4
/** `CRASH_ROUNDS=50` kills the server fifty times. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4)
const ROUND_MS = 50_000
/** How many comments a round must get an answer for before the server is killed. */
const ROUND_COMMENTS = 64
const RETRY_MS = 20

interface Answer {
  data: { items: { id: string; comment: { body: string } }[]; cursor: string; more: boolean }
}

for (const [engine, settings] of Object.entries(ENGINES)) {
  own(
    `kill -9 under many writers on ${engine}: no reader of feedback skips or repeats an event`,
    async () => {
      const env = { ...freshEnvironment(), ...(await settings()) }
      let running = await start(env)
      const headers = {
        authorization: `Bearer ${await newKey(env, 'pro')}`,
        'content-type': 'application/json',
      }
      const api = (path: string, body?: object) =>
        fetch(`${env.BASE_URL}/api/v1${path}`, {
          headers,
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        })
      const made = await api('/pages', { html: html('x'), allow_comments: true })
      const { data: page } = (await made.json()) as { data: { id: string } }

      let isOver = false
      let isWritten = false
      const answered: string[] = []
      async function write(writer: number): Promise<void> {
        for (let at = 0; !isOver; at++) {
          const body = `${writer} ${at}`
          const status = await api(`/pages/${page.id}/comments`, { body }).then(
            (answer) => answer.status,
            () => null,
          )
          if (status === 201) answered.push(body)
          else await Bun.sleep(RETRY_MS)
        }
      }
      async function read(): Promise<Answer['data']['items']> {
        const told: Answer['data']['items'] = []
        for (let cursor = 'start'; ; ) {
          const isLast = isWritten
          const query = `own=true&limit=20&wait_s=${isLast ? 0 : 1}&cursor=${cursor}`
          // The server may be killed between the head and the body of an answer.
          const answer = await api(`/feedback?${query}`)
            .then((response) => response.json() as Promise<Answer>)
            .catch(() => null)
          if (answer?.data === undefined) {
            await Bun.sleep(RETRY_MS)
            continue
          }
          told.push(...answer.data.items)
          cursor = answer.data.cursor
          if (isLast && !answer.data.more) return told
        }
      }
      async function writeRound(): Promise<void> {
        const enough = answered.length + ROUND_COMMENTS
        while (answered.length < enough) await Bun.sleep(RETRY_MS)
      }
      const writers = Array.from({ length: WRITERS }, (_, at) => write(at))
      const readers = Array.from({ length: READERS }, read)
      for (let round = 0; round < ROUNDS; round++) {
        await writeRound()
        await running.kill()
        running = await start(env)
      }
      await writeRound()
      isOver = true
      await Promise.all(writers)
      isWritten = true
      const [first, ...others] = await Promise.all(readers)
      const ids = first!.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const told of others) expect(told.map(({ id }) => id)).toEqual(ids)
      const bodies = new Set(first!.map(({ comment }) => comment.body))
      expect(answered.filter((body) => !bodies.has(body))).toEqual([])
      expect(await running.stop()).toBe(0)
    },
    40_000 + ROUNDS * ROUND_MS,
  )
}
