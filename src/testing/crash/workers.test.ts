/** Servers of several processes: kills any of them, and looks at what all of them answer. */
import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childProcessesOf } from '../child-processes.ts'
import { freshDatabase } from '../postgres.ts'
import { parseMetrics } from '../prometheus.ts'
import { type Child, startChild } from './child.ts'
import { callApi, fetchText, NoAnswer, type Server } from './request.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2)
const ROUND_MS = 60_000
const VIEWERS = 8
const WORKERS = { WORKERS: '3' }
/** Each request on a connection of its own: the kernel chooses a process by connection. */
const ALONE: RequestInit = { keepalive: false, headers: { connection: 'close' } }

const folders: string[] = []
const children: Child[] = []
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-workers-'))
  folders.push(folder)
  return folder
}

/** Resolves once all processes serve. */
async function start(folder: string, settings: Record<string, string> = WORKERS): Promise<Child> {
  const child = await startChild(folder, settings)
  children.push(child)
  await until(async () => (await serving(child)) === Number(settings.WORKERS) - 1)
  return child
}

async function metricsOf({ url }: Child) {
  const { text } = await fetchText(`${url}/metrics`, ALONE)
  return parseMetrics(text)
}

async function serving(child: Child): Promise<number> {
  return (await metricsOf(child)).get('handbill_workers_serving')!.samples[0]!.value
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

const workersOf = ({ pid }: Child) => childProcessesOf(pid)

interface Viewed {
  id: string
  slug: string
  /** Views whose answers were read. */
  read: number
  /** Views that were asked for, and whose answers a kill prevented. */
  unread: number
}

async function publish(server: Server, html = '<p>words'): Promise<Viewed> {
  const { status, data } = await callApi(server, 'POST /pages', { body: { html } })
  expect(status).toBe(201)
  return { ...(data as { id: string; slug: string }), read: 0, unread: 0 }
}

/** Views a page until `stop` is called, through all kills. @returns the statuses by count */
function view(child: Child, page: Viewed) {
  const statuses = new Map<number, number>()
  let isOver = false
  const viewers = Array.from({ length: VIEWERS }, async (_, at) => {
    while (!isOver) {
      // Some keep their connection, others come anew.
      const init = at % 2 === 0 ? ALONE : {}
      try {
        const { status } = await fetchText(`${child.url}/p/${page.slug}`, init)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 200) page.read += 1
      } catch (err) {
        if (!(err instanceof NoAnswer)) throw err
        page.unread += 1
        await Bun.sleep(5)
      }
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(viewers)
      return statuses
    },
  }
}

async function viewsOf(server: Server, { id }: Viewed): Promise<number> {
  // A worker that was just killed may have forwarded the request.
  for (;;) {
    try {
      const { data } = await callApi(server, `GET /pages/${id}`)
      return (data as { views: number }).views
    } catch (err) {
      if (!(err instanceof NoAnswer)) throw err
    }
  }
}

async function expectExact(server: Server, pages: Viewed[]): Promise<void> {
  for (const page of pages) {
    const views = await viewsOf(server, page)
    expect(views).toBeGreaterThanOrEqual(page.read)
    expect(views).toBeLessThanOrEqual(page.read + page.unread)
    const report = await callApi(server, `GET /pages/${page.id}/analytics?only=views`)
    expect((report.data as { views: number }).views).toBe(views)
  }
}

describe.skipIf(process.platform !== 'linux')('a server of three processes', () => {
  it(
    'has counted each view whose answer was read, whichever process is killed',
    async () => {
      const folder = newFolder()
      let child = await start(folder)
      const key = child.key!
      const pages = [await publish({ url: child.url, key }), await publish({ url: child.url, key })]
      for (let round = 0; round < ROUNDS; round++) {
        const server = { url: child.url, key }
        const viewing = pages.map((page) => view(child, page))
        for (let kills = 0; kills < 3; kills++) {
          const before = pages[0]!.read
          await until(async () => pages[0]!.read > before + 100)
          process.kill(workersOf(child)[kills % 2]!, 'SIGKILL')
          // At once: what the killed one had counted is in this answer.
          const read = pages.map((page) => page.read)
          expect(await viewsOf(server, pages[0]!)).toBeGreaterThanOrEqual(read[0]!)
          await until(async () => workersOf(child).length === 2)
        }
        const [statuses] = await Promise.all(viewing.map(({ stop }) => stop()))
        expect([...statuses!.keys()].filter((status) => status !== 200 && status !== 503)).toEqual(
          [],
        )
        await expectExact(server, pages)
        const more = pages.map((page) => view(child, page))
        const before = pages[1]!.read
        await until(async () => pages[1]!.read > before + 200)
        const workers = workersOf(child)
        await child.kill()
        await Promise.all(more.map(({ stop }) => stop()))
        await until(async () => workers.every((pid) => !isRunning(pid)))
        child = await start(folder)
        await expectExact({ url: child.url, key }, pages)
      }
    },
    ROUND_MS * (ROUNDS + 1),
  )

  it(
    'shows a change in every process as soon as it is answered, under load',
    async () => {
      const child = await start(newFolder())
      const server = { url: child.url, key: child.key! }
      const page = await publish(server, '<p>text 0.')
      const viewing = view(child, page)
      for (let change = 1; change <= 30; change++) {
        const html = `<p>text ${change}.`
        await callApi(server, `PATCH /pages/${page.id}`, { body: { html } })
        const { status } = await callApi(server, `POST /pages/${page.id}/publish`)
        expect(status).toBe(200)
        const seen = await Promise.all(
          Array.from({ length: 12 }, () => fetchText(`${child.url}/p/${page.slug}`, ALONE)),
        )
        page.read += seen.length
        for (const { text } of seen) expect(text).toContain(`text ${change}.`)
      }
      expect((await callApi(server, `DELETE /pages/${page.id}/publish`)).status).toBe(200)
      const closed = await Promise.all(
        Array.from({ length: 24 }, () => fetchText(`${child.url}/p/${page.slug}`, ALONE)),
      )
      for (const { status, text } of closed) {
        expect(status).not.toBe(200)
        expect(text).not.toContain('text 30.')
      }
      await viewing.stop()
      expect(await viewsOf(server, page)).toBe(page.read)
      expect(page.unread).toBe(0)
    },
    ROUND_MS,
  )

  it(
    'grants exactly the views of a limit that is set while all processes count',
    async () => {
      const child = await start(newFolder())
      const server = { url: child.url, key: child.key! }
      for (let exact = 0; exact < 4; ) {
        const page = await publish(server)
        const viewing = view(child, page)
        await until(async () => page.read > 200)
        const limit = (await viewsOf(server, page)) + 500
        const { status } = await callApi(server, `PATCH /pages/${page.id}`, {
          body: { max_views: limit },
        })
        expect(status).toBe(200)
        // Views of before the limit may be more than it grants.
        const isEarly = page.read + VIEWERS < limit
        await until(async () => (await viewsOf(server, page)) >= limit)
        const statuses = await viewing.stop()
        const views = await viewsOf(server, page)
        expect(views).toBe(page.read)
        expect(statuses.get(410)).toBeGreaterThan(0)
        if (!isEarly) continue
        expect({ views, limit }).toEqual({ views: limit, limit })
        exact += 1
      }
    },
    ROUND_MS,
  )

  it(
    'answers a change though a worker hangs, which serves nothing of before afterwards',
    async () => {
      const child = await start(newFolder())
      const server = { url: child.url, key: child.key! }
      const page = await publish(server, '<p>before.')
      const viewing = view(child, page)
      await until(async () => page.read > 100)
      await viewing.stop()
      const [hanging] = workersOf(child) as [number]
      process.kill(hanging, 'SIGSTOP')
      const changing = callsUntilAnswered(async () => {
        await callApi(server, `PATCH /pages/${page.id}`, { body: { html: '<p>after.' } })
        return callApi(server, `POST /pages/${page.id}/publish`)
      })
      expect((await changing).status).toBe(200)
      expect(isRunning(hanging)).toBe(false)
      await until(async () => workersOf(child).length === 2)
      for (let views = 0; views < 20; views++) {
        const { text } = await fetchText(`${child.url}/p/${page.slug}`, ALONE)
        expect(text).toContain('after.')
      }
    },
    ROUND_MS,
  )
})

describe.skipIf(process.platform !== 'linux')('the metrics of a server of three processes', () => {
  it('count each request and view once, whichever process answers', async () => {
    const child = await start(newFolder())
    const server = { url: child.url, key: child.key! }
    const page = await publish(server)
    const address = `${child.url}/p/${page.slug}`
    const before = await countsOf(child)
    const etag = (await fetch(address, ALONE)).headers.get('etag')!
    const headers = { connection: 'close', 'if-none-match': etag }
    for (let nth = 0; nth < 60; nth++) await fetchText(address, ALONE)
    for (let nth = 0; nth < 60; nth++)
      await callApi(server, `GET /pages/${page.id}`, { headers: { connection: 'close' } })
    // A process reports these counts with or after those of its earlier answers.
    for (let nth = 0; nth < 60; nth++) await fetchText(address, { ...ALONE, headers })
    const counted = async () => {
      const now = await countsOf(child)
      return Object.fromEntries(
        Object.entries(now).map(([name, value]) => [name, value - (before[name] ?? 0)]),
      )
    }
    await until(async () => {
      const { 'page 304': unchanged = 0, views = 0 } = await counted()
      return unchanged >= 60 && views >= 121
    })
    const expected = { 'page 200': 61, 'page 304': 60, 'api 200': 60, views: 121 }
    expect(await counted()).toMatchObject(expected)
  })

  it('report the resources of each worker, and of the one that replaces it', async () => {
    const child = await start(newFolder())
    const startsOf = async () => {
      const families = await callsUntilAnswered(() => metricsOf(child))
      const samples = families.get('handbill_worker_start_time_seconds')?.samples ?? []
      return samples.map(({ value }) => value)
    }
    const families = await metricsOf(child)
    for (const name of ['cpu_seconds_total', 'resident_memory_bytes', 'heap_used_bytes']) {
      const { samples } = families.get(`handbill_worker_${name}`)!
      expect(samples.map(({ labels }) => labels)).toEqual([{ worker: '1' }, { worker: '2' }])
      for (const { value } of samples) expect(value).toBeGreaterThan(0)
    }
    for (const name of ['process_cpu_seconds_total', 'handbill_event_loop_stall_max_seconds']) {
      expect(families.get(name)!.samples).toHaveLength(1)
    }
    const stalls = families.get('handbill_worker_event_loop_stall_max_seconds')!
    expect(stalls.samples).toHaveLength(2)
    const began = await startsOf()
    process.kill(workersOf(child)[0]!, 'SIGKILL')
    await until(async () => {
      const now = await startsOf()
      return now.length === 2 && now.filter((each) => !began.includes(each)).length === 1
    })
    expect(workersOf(child)).toHaveLength(2)
  })
})

/** Views, and requests by kind and status. */
async function countsOf(child: Child): Promise<Record<string, number>> {
  const families = await metricsOf(child)
  const views = families.get('handbill_views_total')!.samples[0]!.value
  const requests = families.get('handbill_http_requests_total')?.samples ?? []
  const counts = requests.map(({ labels, value }) => [`${labels.kind} ${labels.status}`, value])
  return { views, ...Object.fromEntries(counts) }
}

describe.skipIf(process.platform !== 'linux')('WORKERS', () => {
  it('is refused where another server has the port, shared or not', async () => {
    const { url } = await start(newFolder())
    const PORT = new URL(url).port
    const taken = `Port ${PORT} on 127.0.0.1 is taken`
    await expect(startChild(newFolder(), { ...WORKERS, PORT })).rejects.toThrow(taken)
    await expect(startChild(newFolder(), { PORT })).rejects.toThrow(taken)
  })

  it('says why it is ignored with PostgreSQL, and one process serves', async () => {
    const { url, drop } = await freshDatabase()
    const settings = { ...WORKERS, DATABASE_URL: url, LOG_LEVEL: 'warn' }
    const child = await startChild(newFolder(), settings)
    children.push(child)
    const page = await publish({ url: child.url, key: child.key! })
    expect((await fetchText(`${child.url}/p/${page.slug}`, {})).status).toBe(200)
    expect(child.log()).toContain(
      'WORKERS is ignored: With DATABASE_URL, start more nodes instead.',
    )
    expect(workersOf(child)).toEqual([])
    await child.kill()
    await drop()
  })
})

/** A request that a hanging process has is answered by none: it is sent again. */
async function callsUntilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (err) {
      if (!(err instanceof NoAnswer)) throw err
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
