/**
 * What can be combined: every way a page can be shown, and everything that can be on it. A new kind,
 * delivery, gate, thing or extra is in the matrix by an entry here.
 */
import { expect } from 'bun:test'
import { markdownPage } from '../../src/client/content/markdown.ts'
import { browser, type Fields, send } from '../client.ts'
import type { Mail } from '../gates/mail.ts'
import { base64, pdf, png, word } from '../material.ts'
import type { Cell, Delivery, Extra, Gate, Kind, Thing, Visit } from './cell.ts'
import { click, fill, isChosen, press, type Role, reads, shownIn, shows, until } from './visit.ts'

const document = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plan</title>${body}</html>\n`

export const KINDS: readonly Kind[] = [
  {
    name: 'single',
    isDeck: false,
    hasHtml: true,
    path: '',
    content: (html) => ({ html: document(html) }),
  },
  {
    name: 'deck',
    isDeck: true,
    hasHtml: true,
    path: 'part/two.html',
    content: (html) => ({
      files: [
        { path: 'index.html', html: document('<a href="part/two.html">Questions</a>') },
        { path: 'part/two.html', html: document(`<h1>Part two</h1>${html}`) },
      ],
    }),
    async goOn(visit) {
      await click(visit.content, 'link', 'Questions')
      await reads(visit.content, 'Part two')
    },
  },
  {
    name: 'markdown',
    isDeck: false,
    hasHtml: true,
    path: '',
    content: async (html) => ({
      html: await (await markdownPage(`# Plan\n\n${html}\n`)).text(),
    }),
  },
  {
    name: 'PDF',
    isDeck: false,
    hasHtml: false,
    path: '',
    content: () => ({ file_base64: base64(pdf()), filename: `${word('plan')}.pdf` }),
  },
  {
    name: 'image',
    isDeck: false,
    hasHtml: false,
    path: '',
    content: () => ({ file_base64: base64(png()), filename: `${word('plan')}.png` }),
  },
]

const FRAMED = /^http:\/\/127\.0\.0\.1:\d+\/p\/[^/]+\/~[^/]+\//
const OWN_HOST = /^http:\/\/[a-z2-7]{26}\.localhost:\d+\//
const SCRIPT = '<script>self.runs = true</script>'

export const DELIVERIES: readonly Delivery[] = [
  {
    name: 'direct',
    site: 'sandbox',
    html: '',
    isFor: (cell) => cell.kind.hasHtml && !needsShell(cell),
    isFramed: () => false,
    address: /^http:\/\/127\.0\.0\.1:\d+\/p\//,
  },
  {
    name: 'shell',
    site: 'sandbox',
    html: '',
    isFor: (cell) => cell.kind.hasHtml && needsShell(cell),
    isFramed: () => true,
    address: FRAMED,
  },
  {
    name: 'own host',
    site: 'origins',
    html: SCRIPT,
    isFor: ({ kind }) => kind.hasHtml,
    isFramed: ({ thing, gate }) => thing.isConversation || gate.isOwner,
    address: OWN_HOST,
  },
  {
    name: 'no script beside own hosts',
    site: 'origins',
    html: '',
    isFor: ({ kind, thing, extra }) =>
      kind.hasHtml && !(thing.html + extra.html).includes('<script'),
    isFramed: needsShell,
    address: /^http:\/\/localhost:\d+\/p\//,
  },
  {
    name: 'viewer',
    site: 'sandbox',
    html: '',
    isFor: ({ kind }) => !kind.hasHtml,
    isFramed: () => false,
    address: /^http:\/\/127\.0\.0\.1:\d+\/p\//,
  },
]

/** Which pages are not served directly where there are no origins of their own. */
function needsShell({ kind, gate, thing, extra }: Cell): boolean {
  if (thing.isConversation || gate.isOwner || extra.stores) return true
  return kind.isDeck && (gate.pass !== undefined || 'max_views' in extra.settings)
}

const PASSWORD = 'open sesame'
const ALIAS = expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/)

export const GATES: readonly Gate[] = [
  { name: 'open', isOwner: false, confirmsEmail: false, settings: () => ({}) },
  {
    name: 'password',
    isOwner: false,
    confirmsEmail: false,
    settings: () => ({ access: 'password', password: PASSWORD }),
    async pass({ top }) {
      await fill(top, 'Password', PASSWORD)
      await leaveBy(top, 'Open the page')
    },
  },
  {
    name: 'email gate',
    isOwner: false,
    confirmsEmail: true,
    settings: () => ({ access: 'email_gate' }),
    async pass(visit) {
      const { code } = await sendMail(visit, 'Send me a link')
      await fill(visit.top, 'Code', code!)
      await leaveBy(visit.top, 'Open the page')
    },
  },
  {
    name: 'people',
    isOwner: false,
    confirmsEmail: true,
    settings: ({ email }) => ({ access: 'people', allowed_emails: [email] }),
    async pass(visit) {
      const { links } = await sendMail(visit, 'Send me a link')
      await visit.goto(links[0]!)
      await leaveBy(visit.top, 'Confirm and open')
    },
  },
  {
    name: 'a personal link',
    isOwner: false,
    confirmsEmail: true,
    settings: ({ email }) => ({ access: 'people', allowed_emails: [email] }),
    async pass(visit) {
      const { site, page, email } = visit
      await site.owner.call('POST', `/pages/${page.id}/invitations`, {})
      const { links } = await site.outbox.last(email)
      await visit.goto(links[0]!)
      await leaveBy(visit.top, 'Open the page')
    },
  },
  {
    name: 'people who sign in',
    isOwner: false,
    confirmsEmail: true,
    settings: ({ email }) => ({
      access: 'people',
      allowed_emails: [email],
      require_signin: true,
    }),
    pass: signIn,
  },
  {
    name: 'private',
    isOwner: true,
    confirmsEmail: false,
    settings: () => ({ access: 'private' }),
    pass: signIn,
  },
]

const FORM = `<form data-service data-success="We have it, thank you.">
<p><label>First name <input name="name"></label></p>
<p><label>Seats <input type="number" name="seats" value="2"></label></p>
<p><button>Book</button></p></form>`

const CALL = `<p><button id="call">Send the score</button> <output id="receipt"></output></p><script>
document.querySelector('#call').onclick = async () => {
  const receipt = document.querySelector('#receipt')
  try {
    const { submit_count } = await Service.submit({ score: 7, rounds: [{ n: 1 }, { n: 2 }] })
    receipt.textContent = 'stored ' + submit_count
  } catch ({ code }) {
    receipt.textContent = 'refused ' + code
  }
}
</script>`

export const THINGS: readonly Thing[] = [
  {
    name: 'form',
    isConversation: false,
    html: FORM,
    settings: () => ({}),
    async use(visit) {
      await fill(visit.content, 'First name', 'Vic')
      await click(visit.content, 'button', 'Book')
      await reads(visit.content, 'We have it, thank you.')
      await expectResponse(visit, { name: 'Vic', seats: 2 })
    },
  },
  {
    name: 'Service.submit',
    isConversation: false,
    html: CALL,
    settings: () => ({}),
    async use(visit) {
      await click(visit.content, 'button', 'Send the score')
      await reads(visit.content, `stored ${visit.submissions + 1}`)
      await expectResponse(visit, { score: 7, rounds: [{ n: 1 }, { n: 2 }] })
    },
  },
  {
    name: 'comments',
    isConversation: true,
    html: '',
    settings: () => ({ allow_comments: true }),
    async use(visit) {
      const { top, cell } = visit
      await openTab(visit, 'Comments', ['field', 'Comment'])
      await fill(top, 'Comment', 'Is May possible?')
      if (!cell.gate.isOwner) await fill(top, 'Your name', 'Vic')
      await press(top, ['button', 'Post comment'], () => shows(top, 'Is May possible?'))
      expect(await visit.read<object[]>('comments')).toMatchObject([
        { body: 'Is May possible?', path: cell.kind.path, author: authorOf(visit), replies: [] },
      ])
    },
  },
  {
    name: 'poll',
    isConversation: true,
    html: '',
    settings: () => ({
      collect_votes: true,
      poll_question: 'When do we start?',
      poll_options: ['May', 'June'],
    }),
    async use(visit) {
      const { top } = visit
      await openTab(visit, 'Poll', ['radio', 'June'])
      await press(top, ['radio', 'June'], () => isChosen(top, 'June'))
      await press(top, ['button', 'Vote'], () => shownIn(top, 'button', 'Change my vote'))
      expect(await visit.read<object>('poll')).toMatchObject({
        total_votes: 1,
        options: [
          { text: 'May', votes: 0 },
          { text: 'June', votes: 1 },
        ],
      })
    },
  },
  {
    name: 'approval',
    isConversation: true,
    html: '',
    settings: ({ email }) => ({ collect_approvals: true, approver_emails: [email] }),
    async use(visit) {
      const { top, email } = visit
      const { confirmsEmail, isOwner } = visit.cell.gate
      if (confirmsEmail || isOwner) {
        await openTab(visit, 'Approval', ['field', 'Note'])
      } else {
        const lost = 'Confirm my address instead'
        await openTab(visit, 'Approval', ['button', lost])
        await press(top, ['button', lost], () => shownIn(top, 'field', 'Your email'))
        const { code } = await sendMail(visit, 'Send the mail', 'Your email')
        await fill(top, 'Code', code!)
        await press(top, ['button', 'Confirm'], () => shows(top, 'You are asked to approve'))
      }
      await fill(top, 'Note', 'Fine by me')
      await leaveBy(top, 'Approve')
      await leaveBy(top, 'Approve version 1')
      await reads(top, 'Approved')
      expect(await visit.read<object>('approvals')).toMatchObject({
        counts: { approved: 1, changes_requested: 0, waiting: 0 },
        approvers: [{ email, decision: 'approved', note: 'Fine by me', version_no: 1 }],
      })
    },
  },
]

export const EXTRAS: readonly Extra[] = [
  { name: 'nothing more', stores: false, html: '', settings: {}, isFor: () => true },
  {
    name: 'view limit',
    stores: false,
    html: '',
    settings: { max_views: 1 },
    isFor: () => true,
    async check({ page, cell }) {
      if (cell.gate.isOwner) return
      const stranger = await send(page.url, { headers: browser })
      expect([stranger.status, stranger.text.includes('no longer available')]).toEqual([410, true])
    },
  },
  {
    name: 'notify',
    stores: false,
    html: '',
    settings: { notify_on_view: true },
    isFor: () => true,
    async check({ page, cell, site }) {
      const mails = () =>
        site.outbox
          .sentTo(site.owner.email)
          .filter(({ subject }) => subject === `“${page.title}” was opened`)
      const count = cell.gate.isOwner ? 0 : 1
      await until(
        async () => mails().length === count,
        `${count} mails to the owner`,
        async () =>
          mails()
            .map(({ subject }) => subject)
            .join(', '),
      )
    },
  },
  {
    name: 'storage',
    stores: true,
    html: `<p id="stored"></p><script>
localStorage.visits = Number(localStorage.visits ?? 0) + 1
document.querySelector('#stored').textContent = 'Visit ' + localStorage.visits
</script>`,
    settings: {},
    isFor: ({ kind }) => kind.hasHtml,
    async check(visit) {
      await visit.open()
      await reads(visit.content, 'Visit 2')
    },
  },
]

/** What the owner reads of the visitor's responses: the last one, and how many were sent. */
async function expectResponse(visit: Visit, data: Fields): Promise<void> {
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

function authorOf({ cell, email }: Visit): Fields {
  if (cell.gate.isOwner) return { kind: 'owner' }
  if (cell.gate.confirmsEmail) return { kind: 'confirmed', name: 'Vic', email }
  return { kind: 'anonymous', name: 'Vic', email: null }
}

/** Opens a part of the panel, in which this control is. */
async function openTab({ top }: Visit, name: string, control: [Role, string]): Promise<void> {
  const role = (await shownIn(top, 'tab', name)) ? 'tab' : 'button'
  await press(top, [role, name], () => shownIn(top, ...control))
}

/** Presses a button that leads to another document. */
async function leaveBy(top: Visit['top'], name: string): Promise<void> {
  await press(top, ['button', name], async () => !(await shownIn(top, 'button', name)))
}

/** Gives the address, and waits for the mail. */
function sendMail({ top, email, site }: Visit, button: string, field = 'Email'): Promise<Mail> {
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

async function signIn(visit: Visit): Promise<void> {
  const { top } = visit
  await press(top, ['link', 'Sign in'], () => shownIn(top, 'button', 'Make a link'))
  const { links } = await sendMail(visit, 'Make a link')
  await visit.goto(links[0]!)
  await leaveBy(top, 'Sign in')
}
