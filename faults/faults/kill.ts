import { startPostgres } from '../../src/testing/postgres.ts'
import type { Fault, Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'
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
    // One of its own: that of the tests runs as long as the process.
    const postgres = await startPostgres()
    try {
      const { url } = await postgres.freshDatabase()
      const settings = { DATABASE_URL: url }
      return await killNodes(tools, { fault: 'kill -9, two nodes', nodes: 2, settings })
    } finally {
      await postgres.stop()
    }
  },
}

interface Plan {
  fault: string
  nodes: number
  settings: Record<string, string>
}

async function killNodes({ rounds, mails, folder, log }: Tools, plan: Plan): Promise<Row[]> {
  const dataDir = folder()
  const settings = { ...plan.settings, SMTP_URL: mails.url }
  const nodes = [await startNode(dataDir, settings)]
  const { key } = nodes[0]!
  while (nodes.length < plan.nodes) nodes.push(await startNode(dataDir, settings, key))
  const activities = allActivities(mails)
  for (const activity of activities) await activity.prepare(nodes[0]!)
  const work = startWork(activities, nodes)
  for (let round = 1; round <= rounds; round += 1) {
    await waitForAnswers(work, 100 + Math.floor(Math.random() * 400))
    const killed = nodes[round % nodes.length]!
    await killed.kill()
    nodes[round % nodes.length] = await startNode(dataDir, { ...settings, PORT: killed.port }, key)
    log(`round ${round} of ${rounds}: ${work.answers()} answers`)
  }
  await work.stop()
  const rows = await check(plan.fault, activities, nodes[0]!)
  for (const node of nodes) await node.kill()
  return rows
}
