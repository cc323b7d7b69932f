import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { startPostgres } from '../../src/testing/postgres.ts'
import type { Bench, Figure } from '../figure.ts'
import { ask, openPanel, type Panel } from '../panels.ts'
import { LOAD_CORE } from '../processes.ts'
import type { Row } from '../report.ts'
import { cpuSeconds, type Handbill, newOwner, startHandbill } from '../servers.ts'
import { inMs, quantile, shown, spreadOf } from '../stats.ts'

const WAITING = 1000
const WAIT_S = 50
const GOAL_KB = 20
const GOAL_MS = 200
/** Until the server has read for all who wait. */
const SETTLE_MS = 3000

/** (t) Clients that wait for feedback: what they cost, and when they hear of a comment. */
export const feedback: Figure = {
  letter: 't',
  about: `${WAITING} clients that wait for feedback, on both engines and across nodes`,
  async measure(bench) {
    await using stack = new AsyncDisposableStack()
    const database = await startPostgres({ isAsInstalled: true })
    stack.defer(() => database.stop())
    const { url } = await database.freshDatabase()
    const sqlite = stack.use(await startHandbill(bench.folder('feedback')))
    const folder = bench.folder('feedback')
    const first = stack.use(await startHandbill(folder, { DATABASE_URL: url }))
    const other = stack.use(await startHandbill(folder, { DATABASE_URL: url }, LOAD_CORE))
    bench.note(
      '(t) measures the memory once, from before the clients come to when all wait, and the time ' +
        'from the answer to a comment to that of the last client. All wait for one account. A bare Bun.serve takes 7.5 KB for each ' +
        'of 1,000 open requests, and 20 ms of processor time to answer them.',
    )
    return [
      ...(await measureWaits(bench, { name: 'SQLite', waitsAt: sqlite, postsAt: sqlite })),
      ...(await measureWaits(bench, { name: 'PostgreSQL', waitsAt: first, postsAt: first })),
      ...(await measureWaits(bench, {
        name: 'PostgreSQL, commented at another node',
        ...{ waitsAt: first, postsAt: other, isMemoryMeasured: false },
      })),
    ]
  },
}

interface Setting {
  name: string
  waitsAt: Handbill
  postsAt: Handbill
  isMemoryMeasured?: boolean
}

async function measureWaits(bench: Bench, setting: Setting): Promise<Row[]> {
  const { name, waitsAt, postsAt, isMemoryMeasured = true } = setting
  const owner = await newOwner(waitsAt)
  const html = '<!doctype html><title>Page</title><p>words'
  const { slug } = await owner.create({ html, allow_comments: true, notify_on_comment: false })
  const panel = await openPanel(`${postsAt.url}/p/${slug}`)
  bench.log(`${WAITING} clients wait, ${name}`)
  await waitRound(waitsAt, { key: owner.key, clients: 1, panel, postsAt, nth: 0 })
  const last: number[] = []
  const cpu: number[] = []
  let bytesEach = 0
  for (let nth = 1; nth <= bench.rounds; nth++) {
    const round = await waitRound(waitsAt, {
      key: owner.key,
      clients: WAITING,
      panel,
      postsAt,
      nth,
    })
    last.push(quantile(round.wakeMs, 1))
    cpu.push(round.cpuMs)
    if (nth === 1) bytesEach = round.grownBytes / WAITING
  }
  const spread = spreadOf(last)
  const kilobytes = bytesEach / 1024
  const memory = {
    figure: `(t) memory of a client that waits, ${name}`,
    ours: `${kilobytes.toFixed(1)} KB`,
    peer: 'none',
    value: `${kilobytes.toFixed(1)} KB`,
    goal: `≤ ${GOAL_KB} KB`,
    met: kilobytes <= GOAL_KB,
  }
  const wake = {
    figure: `(t) the last of ${WAITING} clients hears of a comment, ${name}`,
    ours: `${shown(spread, inMs)}, ${inMs(spreadOf(cpu).median)} of processor time`,
    peer: 'none',
    value: inMs(spread.median),
    goal: `≤ ${GOAL_MS} ms`,
    met: spread.median <= GOAL_MS,
  }
  return isMemoryMeasured ? [memory, wake] : [wake]
}

interface Round {
  key: string
  clients: number
  panel: Panel
  postsAt: Handbill
  nth: number
}

async function waitRound(server: Handbill, { key, clients, panel, postsAt, nth }: Round) {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  const before = memoryOf(server.pid)
  const answers = Array.from({ length: clients }, () => waitForOne(server.url, key, agent))
  await Bun.sleep(SETTLE_MS)
  const grownBytes = memoryOf(server.pid) - before
  const cpuBefore = cpuSeconds(server.pid)
  const comment = { id: `benchmark${nth}`, body: `The comment ${nth}` }
  await ask(`${postsAt.url}/~/comments/post`, panel, comment)
  const posted = performance.now()
  const wakeMs = (await Promise.all(answers)).map((at) => Math.max(0, at - posted))
  return { grownBytes, wakeMs, cpuMs: (cpuSeconds(server.pid) - cpuBefore) * 1000 }
}

/** @returns when the answer came, which has one event */
function waitForOne(url: string, key: string, agent: Agent): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    get(`${url}/api/v1/feedback?wait_s=${WAIT_S}`, { agent, headers }, async (message) => {
      let text = ''
      for await (const chunk of message) text += chunk
      const items = message.statusCode === 200 ? JSON.parse(text).data.items : []
      if (items.length === 1) resolve(performance.now())
      else reject(new Error(`It answered ${message.statusCode}: ${text.slice(0, 300)}`))
    }).on('error', reject)
  })
}

function memoryOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}
