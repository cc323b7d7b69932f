import type { Row, Tools } from './fault.ts'
import { startNode } from './node.ts'
import { allActivities, check, startWork, waitForAnswers } from './work.ts'

const OUTAGE_MS = 4000
const ANSWERS_BETWEEN = 100

export interface Outage {
  name: string
  /** @param port the server's */
  begin(port: number): unknown
  end(): unknown
}

export interface Plan {
  fault: string
  folder: string
  settings: Record<string, string>
  outages: Outage[]
  /** Statuses with which an operation may be refused, beside outages. */
  expected?: number[]
}

/** Keeps the load running through each outage of every round, until there are answers again. */
export async function runWithOutages({ rounds, mails, log }: Tools, plan: Plan): Promise<Row[]> {
  const node = await startNode(plan.folder, { SMTP_URL: mails.url, ...plan.settings })
  try {
    const activities = allActivities(mails)
    for (const activity of activities) await activity.prepare(node)
    const work = startWork(activities, [node], plan.expected)
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, begin, end } of plan.outages) {
        await waitForAnswers(work, ANSWERS_BETWEEN)
        await begin(Number(node.port))
        const before = work.answers()
        await Bun.sleep(OUTAGE_MS)
        log(`round ${round} of ${rounds}, ${name}: ${work.answers() - before} answers meanwhile`)
        await end()
      }
      await waitForAnswers(work, ANSWERS_BETWEEN)
    }
    await work.stop()
    return await check(plan.fault, activities, node)
  } finally {
    await node.kill()
  }
}
