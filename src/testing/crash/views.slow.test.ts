/** Kills servers while they count views, and compares the count with the answers that were read. */
import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '../postgres.ts'
import { type Child, startChild } from './child.ts'
import { callApi, fetchText, NoAnswer, type Server } from './request.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3)
const ROUND_MS = 60_000
const VIEWERS = 8

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-killed-'))
  folders.push(folder)
  return folder
}

interface Counted {
  id: string
  slug: string
  /** Views whose answers were read. */
  read: number
  /** Views that were asked for, and whose answers a kill prevented. */
  unread: number
}

async function publish(server: Server): Promise<Counted> {
  const { status, data } = await callApi(server, 'POST /pages', { body: { html: '<p>words' } })
  expect(status).toBe(201)
  return { ...(data as { id: string; slug: string }), read: 0, unread: 0 }
}

/** Views the pages from several connections until the server is killed, after so many answers. */
async function viewUntilKilled(child: Child, pages: Counted[], answers: number): Promise<void> {
  let left = answers
  let killing: Promise<void> | undefined
  const viewers = Array.from({ length: VIEWERS }, async (_, at) => {
    const page = pages[at % pages.length]!
    for (;;) {
      const answer = await fetchText(`${child.url}/p/${page.slug}`, {}).catch((err) => {
        if (!(err instanceof NoAnswer)) throw err
        page.unread += 1
        return null
      })
      if (answer === null) return
      expect(answer.status).toBe(200)
      page.read += 1
      left -= 1
      if (left === 0) killing = child.kill()
    }
  })
  await Promise.all(viewers)
  await killing
}

async function expectExact(server: Server, pages: Counted[]): Promise<void> {
  for (const { id, read, unread } of pages) {
    const { data } = await callApi(server, `GET /pages/${id}`)
    const { views } = data as { views: number }
    expect(views).toBeGreaterThanOrEqual(read)
    expect(views).toBeLessThanOrEqual(read + unread)
    const report = await callApi(server, `GET /pages/${id}/analytics?only=views`)
    expect((report.data as { views: number }).views).toBe(views)
  }
}

const someAnswers = () => 100 + Math.floor(Math.random() * 900)

describe('a server that is killed while it counts views', () => {
  it(
    'has counted each view whose answer was read, on SQLite',
    async () => {
      const folder = newFolder()
      let child = await startChild(folder)
      const key = child.key!
      const pages = [await publish({ url: child.url, key }), await publish({ url: child.url, key })]
      for (let round = 0; round < ROUNDS; round++) {
        await viewUntilKilled(child, pages, someAnswers())
        // Sometimes the next one is killed while it starts.
        if (round % 2 === 1) await (await startChild(folder)).kill()
        child = await startChild(folder)
        await expectExact({ url: child.url, key }, pages)
      }
      await child.kill()
    },
    ROUND_MS * (ROUNDS + 1),
  )

  it(
    'has its views added by a node that starts in the same folder, while others count there',
    async () => {
      const { url: databaseUrl, drop } = await freshDatabase()
      const settings = { DATABASE_URL: databaseUrl }
      const folder = newFolder()
      const nodes = [await startChild(folder, settings), await startChild(folder, settings)]
      const key = nodes[0]!.key!
      const pages = [await publish({ url: nodes[0]!.url, key })]
      for (let round = 0; round < ROUNDS; round++) {
        const [killed, other] = [nodes.shift()!, nodes[0]!]
        let isOver = false
        const viewing = (async () => {
          while (!isOver) {
            const { status } = await fetchText(`${other.url}/p/${pages[0]!.slug}`, {})
            expect(status).toBe(200)
            pages[0]!.read += 1
          }
        })()
        await viewUntilKilled(killed, pages, someAnswers())
        nodes.push(await startChild(folder, settings))
        isOver = true
        await viewing
        // The answer of a node has what others counted within moments.
        const server = { url: nodes[1]!.url, key }
        const { data } = await callApi({ url: other.url, key }, `GET /pages/${pages[0]!.id}`)
        expect((data as { views: number }).views).toBeGreaterThanOrEqual(pages[0]!.read)
        await expectExact(server, pages)
      }
      for (const node of nodes) await node.kill()
      await drop()
    },
    ROUND_MS * (ROUNDS + 1),
  )
})
