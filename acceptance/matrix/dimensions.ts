/**
 * What can be combined: every way a page can be shown, and everything that can be on it. A new kind,
 * delivery, gate or thing is in the matrix by an entry here, and what is besides by one in extras.ts.
 */
import { expect } from 'bun:test'
import { base64, pdf, png, word } from '../material.ts'
import type { Cell, Delivery, Gate, Kind, Thing } from './cell.ts'
import {
  authorOf,
  expectResponse,
  isSentToDecide,
  leaveBy,
  openTab,
  sendMail,
  signIn,
} from './steps.ts'
import { click, fill, isChosen, press, reads, shownIn, shows } from './visit.ts'

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
    content: (html) => ({ markdown: `# Plan\n\n${html}\n` }),
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
    isFramed: ({ thing, gate, extra }) =>
      thing.isConversation || gate.isOwner || extra.addressOf !== undefined,
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
  if (thing.isConversation || gate.isOwner || extra.stores || extra.addressOf) return true
  const isGated = gate.pass !== undefined || 'agreement' in extra.settings
  return kind.isDeck && (isGated || 'max_views' in extra.settings)
}

const PASSWORD = 'open sesame'

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
      const { code } = await sendMail(visit, 'Make a link')
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
      const { links } = await sendMail(visit, 'Make a link')
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
      const isAsked = isSentToDecide(visit)
      // An approver who was asked has a mail already.
      if (!isAsked) await site.owner.call('POST', `/pages/${page.id}/invitations`, {})
      const { links } = await site.outbox.last(email)
      await visit.goto(links[0]!)
      await leaveBy(visit.top, isAsked ? 'Open and decide' : 'Open the page')
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

const POLL = { poll_question: 'When do we start?', poll_options: ['May', 'June'] }

export const THINGS: readonly Thing[] = [
  {
    name: 'form',
    isConversation: false,
    html: FORM,
    settings: () => ({}),
    events: () => ['response'],
    question: { kind: 'form' },
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
    events: () => ['response'],
    question: { kind: 'form' },
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
    // What owners write themselves is no news to them; so are votes.
    events: ({ gate }) => (gate.isOwner ? [] : ['comment']),
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
    settings: () => ({ collect_votes: true, ...POLL }),
    events: ({ gate }) => (gate.isOwner ? [] : ['vote']),
    question: { kind: 'poll', question: POLL.poll_question, options: POLL.poll_options },
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
    events: () => ['approval'],
    question: { kind: 'approval' },
    async use(visit) {
      const { top, email } = visit
      const { confirmsEmail, isOwner } = visit.cell.gate
      if (isSentToDecide(visit)) {
        await reads(top, 'You are asked to approve')
      } else if (confirmsEmail || isOwner) {
        await openTab(visit, 'Approval', ['field', 'Note'])
      } else {
        const lost = 'Confirm my address instead'
        await openTab(visit, 'Approval', ['button', lost])
        await press(top, ['button', lost], () => shownIn(top, 'field', 'Your email'))
        const { code } = await sendMail(visit, 'Make a link', 'Your email')
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
