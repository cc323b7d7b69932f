import { type Child, freePort, startChild } from '../../src/testing/crash/child.ts'
import { freshDatabase } from '../../src/testing/postgres.ts'
import type { Node } from '../ask.ts'
import type { Fault, Row, Tools } from '../fault.ts'
import { allActivities, check, startWork, waitForAnswers } from '../work.ts'

/** (a) One server, killed while it works. */
export const kill: Fault = {
  letter: 'a',
  about: 'kill -9 of the server under mixed load, on SQLite',
  run: (tools) => killNodes(tools, { fault: 'kill -9, SQLite', nodes: 1, settings: {} }),
}

/** (b) Two nodes on one PostgreSQL, of which one is killed while the other works on. */
export const killOfTwo: Fault = {
  letter: 'b',
  about: 'kill -9 of one of two nodes under mixed load, on PostgreSQL',
  async run(tools) {
    const { url, drop } = await freshDatabase()
    const settings = { DATABASE_URL: url }
    const rows = await killNodes(tools, { fault: 'kill -9, two nodes', nodes: 2, settings })
    await drop()
    return rows
  },
}

interface Plan {
  fault: string
  nodes: number
  settings: Record<string, string>
}

async function killNodes({ rounds, mails, folder, log }: Tools, plan: Plan): Promise<Row[]> {
  const dataDir = folder()
  const ports = await Promise.all(Array.from({ length: plan.nodes }, freePort))
  const startAt = (port: number) => {
    const own = { SIGNUP: 'open', PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
    return startChild(dataDir, { ...plan.settings, ...own, SMTP_URL: mails.url })
  }
  const children: Child[] = []
  for (const port of ports) children.push(await startAt(port))
  const key = children[0]!.key!
  const nodes: Node[] = children.map(({ url }) => ({ url, key }))
  const activities = allActivities(mails)
  for (const activity of activities) await activity.prepare(nodes[0]!)
  const work = startWork(activities, nodes)
  for (let round = 1; round <= rounds; round += 1) {
    await waitForAnswers(work, 100 + Math.floor(Math.random() * 400))
    const at = round % children.length
    await children[at]!.kill()
    children[at] = await startAt(ports[at]!)
    log(`round ${round} of ${rounds}: ${work.answers()} answers`)
  }
  await work.stop()
  const rows = await check(plan.fault, activities, nodes[0]!)
  for (const child of children) await child.kill()
  return rows
}
