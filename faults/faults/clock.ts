/** The clock of the server is set while it works. */
import { ask, call, type Node } from '../ask.ts'
import { newBrowser } from '../browser.ts'
import { missingForClock, newClock } from '../clock.ts'
import { newExpectations } from '../expectations.ts'
import type { Fault, Row, Tools } from '../fault.ts'
import type { Mails } from '../mails.ts'
import { startNode } from '../node.ts'
import { runWithOutages } from '../outage-run.ts'
import { checkMails } from './clock-mails.ts'
import { checkThrottles } from './clock-throttles.ts'

const [MINUTE, HOUR, DAY] = [60, 60 * 60, 24 * 60 * 60]
/**
 * Steps forwards and back, small and large. Each ends with the true time. The requests of an open
 * page are accepted for twelve hours.
 */
const STEPS: [name: string, seconds: number][] = [
  ['5 minutes on', 5 * MINUTE],
  ['5 minutes back', -5 * MINUTE],
  ['2 hours on', 2 * HOUR],
  ['2 hours back', -2 * HOUR],
  ['10 hours on', 10 * HOUR],
  ['10 hours back', -10 * HOUR],
]

/** (j) The clock is stepped both ways: work continues, and expiries follow the clock. */
export const clockStepped: Fault = {
  letter: 'j',
  about: 'the clock stepped both ways, under mixed load and on what ends at a time',
  missing: missingForClock,
  async run(tools) {
    const folder = tools.folder()
    const clock = newClock(folder)
    const outages = STEPS.map(([name, seconds]) => ({
      name,
      begin: () => clock.set(seconds),
      end: () => clock.set(0),
    }))
    const { settings } = clock
    // A decision has to be confirmed within a quarter of an hour: its link expires then.
    const expected = [410]
    const plan = { fault: 'clock stepped', folder, settings, outages, expected }
    const rows = await runWithOutages(tools, plan)
    return [...rows, await checkTimes(tools), await checkThrottles(tools), await checkMails(tools)]
  },
}

type Clock = ReturnType<typeof newClock>

/** Requests to a server at a time of its clock, and whether the answers were right. */
interface Asked {
  node: Node
  clock: Clock
  mails: Mails
  /** @param isRight whether the answer was what it had to be */
  expect(what: string, isRight: boolean): void
}

async function checkTimes({ mails, folder }: Tools): Promise<Row> {
  const data = folder()
  const clock = newClock(data)
  const node = await startNode(data, { SMTP_URL: mails.url, ...clock.settings })
  const { expect, row } = newExpectations('clock stepped', 'expiry, links and sessions')
  try {
    const request = { node, clock, mails, expect }
    await checkExpiry(request)
    await checkLinks(request)
  } finally {
    await node.kill()
  }
  return row()
}

/** A page expires by the time of day, and is open again when the clock is set back before that. */
async function checkExpiry({ node, clock, expect }: Asked): Promise<void> {
  const expiresAt = new Date(Date.now() + HOUR * 1000).toISOString()
  const body = { html: '<p>Until then', expires_at: expiresAt }
  const { slug } = await call<{ slug: string }>(node, 'POST /pages', { body })
  for (const [seconds, status] of [
    [0, 200],
    [2 * HOUR, 410],
    [0, 200],
    [-2 * DAY, 200],
    [2 * DAY, 410],
    [-2 * HOUR, 200],
    [0, 200],
  ] as const) {
    clock.set(seconds)
    const answer = await ask(`${node.url}/p/${slug}`)
    expect(`a page at ${seconds} s was answered ${answer.status}`, answer.status === status)
  }
}

/** A link of a mail works once, until it expires; a session survives all steps of the clock. */
async function checkLinks({ node, clock, mails, expect }: Asked): Promise<void> {
  const { url } = node
  const pathOf = async (email: string) => new URL(await mails.linkTo(email)).pathname
  async function askFor(email: string): Promise<string> {
    const browser = newBrowser()
    await browser.submit(url, await browser.open(`${url}/app/sign-in`), { email })
    return pathOf(email)
  }
  /** @returns a browser that is signed in; null where the link did nothing */
  async function use(path: string) {
    const browser = newBrowser()
    const response = await browser.open(url + path)
    if (!/<form[^>]*method="post"/i.test(response.text)) return null
    return (await browser.submit(url, response)).status === 303 ? browser : null
  }
  clock.set(0)
  const late = await askFor('late@example.com')
  clock.set(2 * HOUR)
  expect('a link of two hours ago signed in', (await use(late)) === null)
  // Made by a clock that was wrong, and used after it was set right.
  const early = await askFor('early@example.com')
  clock.set(0)
  const browser = await use(early)
  expect('a link that was made before the clock was set back did not work', browser !== null)
  expect('a link signed in twice', (await use(early)) === null)
  for (const seconds of [2 * HOUR, -2 * HOUR, 2 * DAY, -2 * DAY, 0]) {
    clock.set(seconds)
    const answer = await browser?.open(`${url}/app/account`)
    expect(`a session at ${seconds} s was answered ${answer?.status}`, answer?.status === 200)
  }
}
