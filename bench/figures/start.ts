import { read } from '../clock.ts'
import type { Figure } from '../lab.ts'
import { htmlOf } from '../material.ts'
import { newOwner, residentMB, type Served, startHandbill, startNginx } from '../servers.ts'
import { inMB, inMs, shown, spreadOf } from '../stats.ts'

const STARTS = 10
const GOAL_MS = 250
const GOAL_MB = 80
const REST_MS = 5000

/** (e) From nothing to the first answer, and what it takes while nobody asks. */
export const start: Figure = {
  letter: 'e',
  about: 'cold start, idle memory',
  async measure(lab) {
    const dataDir = lab.folder('start')
    const slug = await furnish(dataDir)
    const bytes = htmlOf(10 * 1024)
    const startPeer = () => startNginx({ 'page.html': bytes })
    const ours: number[] = []
    const peer: number[] = []
    lab.say(`${STARTS} cold starts`)
    for (let round = 0; round < STARTS; round++) {
      ours.push(await startTime(() => startHandbill(dataDir)))
      peer.push(await startTime(startPeer))
    }
    lab.say('idle memory')
    const memory = await idle(() => startHandbill(dataDir), `p/${slug}`)
    const peerMemory = await idle(startPeer, 'page.html')
    const { median } = spreadOf(ours)
    lab.note(
      '(e) starts the process anew on a folder that was served before; the files of the program ' +
        'are in the cache of the system. Memory is VmRSS, 5 s after one request.',
    )
    return [
      {
        figure: '(e) cold start to first answer',
        ours: shown(spreadOf(ours), inMs),
        peer: shown(spreadOf(peer), inMs),
        value: inMs(median),
        goal: `< ${GOAL_MS} ms`,
        met: median < GOAL_MS,
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

/** A folder as a server leaves it that was used: an account, a key, a page. */
async function furnish(dataDir: string): Promise<string> {
  await using handbill = await startHandbill(dataDir)
  const owner = await newOwner(handbill)
  const { slug } = await owner.create({ html: new TextDecoder().decode(htmlOf(10 * 1024)) })
  return slug
}

async function startTime(begin: () => Promise<Served>): Promise<number> {
  const began = performance.now()
  await using _served = await begin()
  return performance.now() - began
}

async function idle(begin: () => Promise<Served>, path: string): Promise<number> {
  await using served = await begin()
  await read(`${served.url}/${path}`)
  await Bun.sleep(REST_MS)
  return residentMB(served.pid)
}
