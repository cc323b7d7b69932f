import { commenting, deciding, mailing, responding, voting } from './activities/conversations.ts'
import { editing, uploading, viewing } from './activities/pages.ts'
import type { Activity } from './activity.ts'
import { NoAnswer, type Node, Refused } from './ask.ts'
import type { Row } from './fault.ts'
import type { Mails } from './mails.ts'

const LIMIT = 400
const PAUSE_MS = 50

export function allActivities(mails: Mails): Activity[] {
  const run = crypto.randomUUID().slice(0, 8)
  return [
    editing(run),
    uploading(run),
    viewing(null),
    viewing(LIMIT),
    responding(),
    commenting(run),
    voting(),
    deciding(run, mails),
    mailing(run, mails),
  ]
}

export interface Work {
  /** How many operations were answered so far. */
  answers(): number
  /** @throws what stopped a worker, other than a missing answer or a refusal */
  assertWorking(): void
  /** Ends once each worker has its answer, or none. */
  stop(): Promise<void>
}

/**
 * Runs all activities at once; each uses the nodes in turn. Operations without an answer are
 * retried, and so are those refused with 503.
 *
 * @param expected other statuses that the fault may bring
 */
export function startWork(
  activities: readonly Activity[],
  nodes: readonly Node[],
  expected: readonly number[] = [],
): Work {
  const isExpected = (err: unknown) =>
    err instanceof NoAnswer ||
    (err instanceof Refused && (err.status >= 500 || expected.includes(err.status)))
  let isOver = false
  let count = 0
  async function worker(activity: Activity, at: number): Promise<void> {
    for (let turn = at; !isOver; turn += 1) {
      try {
        await activity.act(nodes[turn % nodes.length]!)
        count += 1
      } catch (err) {
        if (!isExpected(err)) throw err
        await Bun.sleep(PAUSE_MS)
      }
    }
  }
  let failure: unknown = null
  const workers = activities.flatMap((activity) =>
    Array.from({ length: activity.workers }, (_, at) =>
      worker(activity, at).catch((err) => {
        failure ??= err
      }),
    ),
  )
  function assertWorking(): void {
    if (failure !== null) throw failure
  }
  return {
    answers: () => count,
    assertWorking,
    async stop() {
      isOver = true
      await Promise.all(workers)
      assertWorking()
    },
  }
}

/** Waits for more answers. @throws when none come for so long */
export async function waitForAnswers(work: Work, more: number, timeoutMs = 60_000): Promise<void> {
  const [goal, end] = [work.answers() + more, Date.now() + timeoutMs]
  while (work.answers() < goal) {
    work.assertWorking()
    if (Date.now() > end) throw new Error(`No ${more} answers came within ${timeoutMs / 1000} s`)
    await Bun.sleep(5)
  }
}

export async function check(
  fault: string,
  activities: readonly Activity[],
  node: Node,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const activity of activities) {
    rows.push({ fault, what: activity.what, ...(await activity.check(node)) })
  }
  return rows
}
