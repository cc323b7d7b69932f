import { asksForLink } from '../browser.ts'
import { missingForClock, newClock } from '../clock.ts'
import type { Fault, Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'

/** An hour of the server's clock passes in a minute: five minutes every five seconds. */
const STEP_S = 300
const STEP_MS = 5000
const STEPS_OF_HOUR = 12
/** Retries come up to an hour after the mail server is back. */
const MOST_STEPS_AFTER = 24
const MAILS_A_STEP = 8

/** (k) The mail server is down for an hour, and each mail in the outbox arrives once. */
export const mailDownForAnHour: Fault = {
  letter: 'k',
  about: 'a mail server that is down for an hour',
  missing: missingForClock,
  run,
}

async function run({ mails, folder, log }: Tools): Promise<Row[]> {
  const data = folder()
  const clock = newClock(data)
  const node = await startNode(data, { SMTP_URL: mails.url, ...clock.settings })
  const promised: string[] = []
  let steps = 0

  async function step(): Promise<void> {
    for (let n = 0; n < MAILS_A_STEP; n += 1) {
      const email = `hour-${steps}-${n}@example.com`
      if (await asksForLink(node.url, email)) promised.push(email)
    }
    await Bun.sleep(STEP_MS)
    steps += 1
    clock.set(steps * STEP_S)
  }
  const arrived = () => promised.filter((email) => mails.countTo(email) > 0).length
  try {
    mails.setAccepting(false)
    while (steps < STEPS_OF_HOUR) await step()
    log(`an hour without a mail server: ${promised.length} mails promised, ${arrived()} arrived`)
    mails.setAccepting(true)
    while (arrived() < promised.length && steps < STEPS_OF_HOUR + MOST_STEPS_AFTER) await step()
    await mails.wait(promised)
    log(`${(steps - STEPS_OF_HOUR) * (STEP_S / 60)} minutes later: ${arrived()} arrived`)
  } finally {
    mails.setAccepting(true)
    await node.kill()
  }
  const twice = promised.filter((email) => mails.countTo(email) > 1)
  const wrong = twice.map((email) => `${email} got its mail ${mails.countTo(email)} times`)
  const counts = { answered: promised.length, found: arrived() }
  return [{ fault: 'no mail for an hour', what: 'mails', ...counts, wrong }]
}
