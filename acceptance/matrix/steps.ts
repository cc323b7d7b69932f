/** Steps that visitors take on several pages of the matrix. */
import { expect } from 'bun:test'
import type { Fields } from '../client.ts'
import type { Mail } from '../gates/mail.ts'
import type { Visit } from './cell.ts'
import { fill, press, type Role, shownIn, until } from './visit.ts'

const ALIAS = expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/)

/** What the owner reads of the visitor's responses: the last one, and how many were sent. */
export async function expectResponse(visit: Visit, data: Fields): Promise<void> {
  visit.submissions += 1
  const { confirmsEmail } = visit.cell.gate
  const { responses } = await visit.read<{ responses: Fields[] }>('responses')
  expect(responses).toMatchObject([
    {
      data,
      respondent: confirmsEmail ? visit.email : ALIAS,
      path: visit.cell.kind.path,
      submit_count: visit.submissions,
    },
  ])
}

export function authorOf({ cell, email }: Visit): Fields {
  if (cell.gate.isOwner) return { kind: 'owner' }
  if (cell.gate.confirmsEmail) return { kind: 'confirmed', name: 'Vic', email }
  return { kind: 'anonymous', name: 'Vic', email: null }
}

/** The mail to a new approver has a link that opens the approval. */
export const isSentToDecide = ({ askId, cell }: Visit) =>
  askId !== null && cell.thing.name === 'approval' && cell.gate.name === 'a personal link'

/** Opens a part of the panel, in which this control is. */
export async function openTab(
  { top }: Visit,
  name: string,
  control: [Role, string],
): Promise<void> {
  const role = (await shownIn(top, 'tab', name)) ? 'tab' : 'button'
  await press(top, [role, name], () => shownIn(top, ...control))
}

/** Presses a button that leads to another document. */
export async function leaveBy(top: Visit['top'], name: string): Promise<void> {
  await press(top, ['button', name], async () => !(await shownIn(top, 'button', name)))
}

/** Gives the address, and waits for the mail. */
export function sendMail(
  { top, email, site }: Visit,
  button: string,
  field = 'Email',
): Promise<Mail> {
  return site.inTurn(email, async () => {
    // The owner gets other mails meanwhile.
    const mails = () => site.outbox.sentTo(email).filter(({ code }) => code !== undefined)
    const before = mails().length
    await fill(top, field, email)
    await leaveBy(top, button)
    await until(async () => mails().length > before, `a mail with a code to ${email}`)
    return mails().at(-1)!
  })
}

export async function signIn(visit: Visit): Promise<void> {
  const { top } = visit
  await press(top, ['link', 'Sign in'], () => shownIn(top, 'button', 'Make a link'))
  const { links } = await sendMail(visit, 'Make a link')
  await visit.goto(links[0]!)
  await leaveBy(top, 'Sign in')
}
