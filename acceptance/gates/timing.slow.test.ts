/** The response time of a gate's forms does not show who is invited. */
import { expect } from 'bun:test'
import { type Form, formTo, person } from './person.ts'
import { type Gated, newEmail, own, owner, publishGated } from './setup.ts'

/** With so many pairs, chance alone takes the area out of the bounds in one attempt of six. */
const PAIRS = 100
const ATTEMPTS = 4
const TIMEOUT_MS = 240_000

/**
 * The area under the ROC curve: how often a response to an invited address takes longer than one to
 * a stranger. 0.5 where the times show nothing.
 */
function areaUnderCurve(invited: number[], strangers: number[]): number {
  const wins = invited.map((a) =>
    strangers.reduce((sum, b) => sum + (a > b ? 1 : a === b ? 0.5 : 0), 0),
  )
  return wins.reduce((sum, count) => sum + count, 0) / (invited.length * strangers.length)
}

/** Sends a form for invited addresses and for strangers in turn, as in an attack. */
async function measure(page: Gated, emails: string[], ending: string): Promise<number> {
  const who = person()
  const form = formTo(await who.open(page.path), ending)
  const times = { invited: [] as number[], stranger: [] as number[] }
  for (const [i, email] of emails.entries()) {
    const pair = [
      ['invited', email],
      ['stranger', newEmail('eve')],
    ] as const
    for (const [kind, given] of i % 2 === 0 ? pair : pair.toReversed()) {
      times[kind].push(await timeOf(who, form, given))
    }
  }
  return areaUnderCurve(times.invited, times.stranger)
}

async function timeOf(who: ReturnType<typeof person>, { action, fields }: Form, email: string) {
  const startMs = performance.now()
  const answer = await who.post(action, { ...fields, email })
  expect(answer.status).toBe(200)
  return performance.now() - startMs
}

/** A computer that does other work gives a wrong area now and then, so the best attempt counts. */
async function expectNoDifference(ending: string): Promise<void> {
  const emails = Array.from({ length: PAIRS }, () => newEmail('invited'))
  const settings = { access: 'people', allow_access_requests: true, allowed_emails: emails }
  const page = await publishGated(await owner(), settings)
  const areas: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    areas.push(await measure(page, emails, ending))
    if (Math.abs(areas.at(-1)! - 0.5) <= 0.05) return
  }
  throw new Error(`the times show who is invited: areas ${areas.join(', ')}`)
}

own(
  'the time of “Send me a link” does not show who is invited',
  () => expectNoDifference('/email'),
  TIMEOUT_MS,
)

own(
  'the time of “Ask the owner” does not show who is invited',
  () => expectNoDifference('/request'),
  TIMEOUT_MS,
)
