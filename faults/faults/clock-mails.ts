/** Mails that failed, on servers whose clocks are set before the mail server is back. */
import { asksForLink } from '../browser.ts'
import { newClock } from '../clock.ts'
import { newExpectations } from '../expectations.ts'
import type { Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'

const HOUR = 60 * 60
/** What the clock says when mails fail, and when they can be sent. */
const SET: [name: string, before: number, after: number][] = [
  ['back', 0, -10 * HOUR],
  ['forward', 0, 10 * HOUR],
  ['forward and right again', 10 * HOUR, 0],
  ['back and right again', -10 * HOUR, 0],
]
const MAILS = 3
/** The mail server stays away for a while, in which no mail is tried more than twice. */
const AWAY_MS = 5000
const FAILED_WITHIN_MS = 60_000

/** Each arrives once within two minutes, whatever its retry waits for by the clock of before. */
export async function checkMails({ folder, mails, log }: Tools): Promise<Row> {
  const { expect, row } = newExpectations('clock stepped', 'mails that failed before')
  const servers = await Promise.all(
    SET.map(async ([name, before, after], nth) => {
      const data = folder()
      const clock = newClock(data)
      clock.set(before)
      const node = await startNode(data, { SMTP_URL: mails.url, ...clock.settings })
      const emails = Array.from({ length: MAILS }, (_, at) => `clock-${nth}-${at}@example.com`)
      return { name, clock, node, emails, setClock: () => clock.set(after) }
    }),
  )
  const all = servers.flatMap(({ emails }) => emails)
  try {
    mails.setAccepting(false)
    const refusedBefore = mails.refused()
    const refused = () => mails.refused() - refusedBefore
    for (const { node, emails, name } of servers) {
      for (const email of emails) {
        expect(`${email} was promised no mail (${name})`, await asksForLink(node.url, email))
      }
    }
    const end = Date.now() + FAILED_WITHIN_MS
    while (refused() < all.length && Date.now() < end) await Bun.sleep(50)
    for (const { setClock } of servers) setClock()
    await Bun.sleep(AWAY_MS)
    expect(`${all.length} mails were tried ${refused()} times`, refused() <= 2 * all.length)
    mails.setAccepting(true)
    await mails.wait(all)
    log(`mails that failed before the clock was set: tried ${refused()} times before`)
    for (const { emails, name } of servers) {
      for (const email of emails) {
        const count = mails.countTo(email)
        expect(`${email} got ${count} mails (clock set ${name})`, count === 1)
      }
    }
  } finally {
    mails.setAccepting(true)
    for (const { node } of servers) await node.kill()
  }
  return row()
}
