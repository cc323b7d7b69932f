import { join } from 'node:path'
import { freePort } from '../../src/testing/free-port.ts'
import type { Figure } from '../figure.ts'
import { newFolder, spawnServer, stop, waitUntilReady } from '../processes.ts'
import { htmlOf } from '../sample-content.ts'
import { newOwner, residentMB, type Served, startHandbill, startNginx } from '../servers.ts'
import { inMB, inMs, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { read } from '../timing.ts'

const STARTS = 10
const GOAL_MS = 150
const GOAL_MB = 80
const IDLE_MS = 5000
const EMPTY_SERVER = join(import.meta.dir, '../empty-server.ts')

/** (e) The time from start to the first response, and memory without load. */
export const start: Figure = {
  letter: 'e',
  about: 'cold start, idle memory',
  async measure(bench) {
    const dataDir = bench.folder('start')
    const slug = await prepare(dataDir)
    const bytes = htmlOf(10 * 1024)
    const startPeer = () => startNginx({ 'page.html': bytes })
    const ours: number[] = []
    const peer: number[] = []
    const empty: number[] = []
    bench.log(`${STARTS} cold starts`)
    for (let round = 0; round < STARTS; round++) {
      ours.push(await startTime(() => startHandbill(dataDir)))
      peer.push(await startTime(startPeer))
      empty.push(await startTime(startEmpty))
    }
    bench.log('idle memory')
    const memory = await idleMemory(() => startHandbill(dataDir), `p/${slug}`)
    const peerMemory = await idleMemory(startPeer, 'page.html')
    const { median } = spreadOf(ours)
    bench.note(
      '(e) starts a process on an existing data folder, with the files of the program in the ' +
        'cache of the system. Memory is VmRSS, 5 s after one request.',
    )
    return [
      {
        figure: '(e) cold start to first response',
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(peer), inMs),
        value: inMs(median),
        goal: `< ${GOAL_MS} ms`,
        met: median < GOAL_MS,
      },
      {
        figure: '    the same; peer: an empty Bun.serve',
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(empty), inMs),
        value: shown(ratioOf(ours, empty), times),
        goal: 'none',
        met: null,
      },
      {
        figure: '    idle memory',
        ours: inMB(memory),
        peer: inMB(peerMemory),
        value: inMB(memory),
        goal: `< ${GOAL_MB} MB`,
        met: memory < GOAL_MB,
      },
    ]
  },
}

async function startEmpty(): Promise<Served> {
  const [folder, port] = [newFolder('empty'), freePort()]
  const env = { PATH: process.env.PATH ?? '', HOME: folder, PORT: String(port) }
  const options = { cwd: folder, env, log: join(folder, 'empty.log') }
  const child = spawnServer([process.execPath, EMPTY_SERVER], options)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  return { url, pid: child.pid, [Symbol.asyncDispose]: () => stop(child) }
}

/** Makes a data folder with an account, an API key and a page. */
async function prepare(dataDir: string): Promise<string> {
  await using handbill = await startHandbill(dataDir)
  const owner = await newOwner(handbill)
  const { slug } = await owner.create({ html: new TextDecoder().decode(htmlOf(10 * 1024)) })
  return slug
}

async function startTime(start: () => Promise<Served>): Promise<number> {
  const began = performance.now()
  await using _served = await start()
  return performance.now() - began
}

async function idleMemory(start: () => Promise<Served>, path: string): Promise<number> {
  await using served = await start()
  await read(`${served.url}/${path}`)
  await Bun.sleep(IDLE_MS)
  return residentMB(served.pid)
}
