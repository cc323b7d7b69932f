import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { plainSite } from '../../model/site.ts'
import { parseTimestamp } from '../../model/times.ts'
import { NUMBERED } from '../../testing/numbered.ts'
import * as access from '../access/mail.ts'
import * as suspension from '../accounts/suspension.ts'
import * as approvals from '../approvals/requests.ts'
import * as comments from '../comments/commenter-mails.ts'
import type { CommentAuthor, Event } from '../events/index.ts'
import { digestMail, OWNER_MAILS, singleMail } from '../events/mail.ts'
import * as links from '../links/mail.ts'
import * as operator from '../operator/index.ts'
import * as passkeys from '../passkeys/index.ts'
import * as sessions from '../sessions/index.ts'
import * as singleSignOn from '../single-sign-on/identities.ts'
import * as viewerEmails from '../viewer-emails/index.ts'
import { composeMail, publicName, quoted } from './index.ts'

/** What somebody writes who wants it to be read as words of the service, or as those of another. */
const HOSTILE =
  'The owner” of Handbill replied.\r\n\r\nYour session ended: sign in at https://evil.example/x, ' +
  'www.evil.example or evil.example, mailto:me@evil.example\u202e\n-- \n"“<a href="https://evil.example">'

const TO = 'to@example.com'
const WHO = 'who@example.com'
const OWNER = { email: 'owner@example.com', name: HOSTILE }
const SERVICE = 'https://pages.example.com'
const SENT = { to: TO, url: `${SERVICE}/x`, host: 'pages.example.com', code: '123456' }
const PAGE = {
  id: 'pg_1',
  title: HOSTILE,
  settings: { og_title: HOSTILE, access: 'link' },
} as unknown as Page

const author = (kind: CommentAuthor['kind'], email: string | null): CommentAuthor => ({
  ...{ kind, email, key: 'key', name: HOSTILE, alias: 'Amber Heron' },
})
const AUTHORS = {
  owner: author('owner', OWNER.email),
  confirmed: author('confirmed', WHO),
  anonymous: author('anonymous', null),
}

const AT = parseTimestamp('2026-01-02T03:04:05.000000Z')!
const CONTEXT = {
  page: { accountId: 'acc_1', title: HOSTILE, url: `${SERVICE}/p/x`, ownerEmail: TO },
  ...{ at: AT, baseUrl: SERVICE, unsubscribeUrl: `${SERVICE}/u` },
}
const EVENT = { ...NUMBERED, pageId: 'pg_1', count: 3, notifyOwner: true }
const EVENTS = {
  view: { ...EVENT, kind: 'view', total: 9 },
  response: { ...EVENT, kind: 'response', respondent: WHO, email: WHO, isFirst: true },
  decision: {
    ...{ ...EVENT, kind: 'decision', email: WHO, decision: 'approved', note: HOSTILE },
    ...{ versionNo: 3, isCurrent: false },
  },
} as const satisfies Record<string, Event>
const ASKED = { ...SENT, page: PAGE, owner: OWNER, versionNo: 3, message: HOSTILE }

const written = (mail: comments.CommentMail): MailContent => ({ ...mail, to: TO, reason: 'Why.' })
const WORDS = { body: HOSTILE, passage: HOSTILE }
const commented = (kind: 'comment' | 'reply', by: keyof typeof AUTHORS) => {
  const event = { ...EVENT, kind, threadId: 'cmt_1', author: AUTHORS[by], ...WORDS } as const
  return singleMail(CONTEXT, event as Event<'comment'>, 1)
}
const replied = (by: keyof typeof AUTHORS, body: string | null = HOSTILE) =>
  written(comments.replyMail(PAGE, { author: AUTHORS[by], body, passage: body, count: 2, at: AT }))
const answered = (access: string, name: string | null) => {
  const row = { body: HOSTILE, anchor: JSON.stringify({ quote: HOSTILE }) } as never
  const page = { ...PAGE, settings: { ...PAGE.settings, access } } as Page
  const answer = { versionNo: 3, owner: name, at: AT, comments: [row, row, row, row] }
  return written(comments.addressedMail(page, answer))
}

/** Every mail of the service, by the function that writes it. */
const MAILS: Record<string, MailContent[]> = {
  singleMail: [
    singleMail(CONTEXT, EVENTS.view, 1),
    singleMail(CONTEXT, EVENTS.response, 1),
    singleMail(CONTEXT, EVENTS.decision, 1),
    ...[commented('comment', 'confirmed'), commented('comment', 'anonymous')],
    ...[commented('reply', 'confirmed'), commented('reply', 'anonymous')],
  ],
  digestMail: [
    digestMail(CONTEXT, EVENTS.view, 2),
    digestMail(CONTEXT, EVENTS.response, 2),
    digestMail(CONTEXT, EVENTS.decision, 2),
    digestMail(CONTEXT, { ...EVENTS.view, kind: 'comment' } as never, 2),
  ],
  replyMail: [replied('owner'), replied('confirmed'), replied('anonymous'), replied('owner', null)],
  addressedMail: [answered('link', HOSTILE), answered('password', null)],
  'access confirmMail': [
    access.confirmMail(PAGE, { ...SENT, owner: OWNER }),
    access.confirmMail(PAGE, { ...SENT, owner: null }),
  ],
  'access requestMail': [
    access.requestMail(PAGE, {
      ...{ ...SENT, email: WHO, at: AT, approveUrl: SENT.url, denyUrl: SENT.url },
      itemUrl: SENT.url,
    }),
  ],
  requestDigestMail: [
    access.requestDigestMail({ ...SENT, requests: [{ email: WHO, at: AT, page: PAGE }], count: 3 }),
  ],
  approvedMail: [access.approvedMail(PAGE, { ...SENT, owner: OWNER })],
  newLinkMail: [access.newLinkMail(PAGE, { ...SENT, owner: OWNER })],
  invitationMail: [access.invitationMail(PAGE, { ...SENT, message: HOSTILE, owner: OWNER })],
  'approvals requestMail': [approvals.requestMail({ ...ASKED, dueAt: CONTEXT.at })],
  reminderMail: [approvals.reminderMail({ ...ASKED, dueAt: CONTEXT.at })],
  linkMail: [false, true].map((isReminder) =>
    links.linkMail(
      PAGE,
      { ...SENT, message: HOSTILE, owner: OWNER, unsubscribeUrl: `${SERVICE}/u` },
      isReminder,
    ),
  ),
  'viewer-emails confirmMail': [
    viewerEmails.confirmMail({ ...SENT, name: publicName(PAGE), reason: 'comment' }),
  ],
  signInMail: [sessions.signInMail(SENT)],
  noAccountMail: [sessions.noAccountMail(SENT)],
  linkedMail: [singleSignOn.linkedMail(TO, 'Example ID', SERVICE)],
  addedMail: [passkeys.addedMail(TO, SERVICE)],
  accountMail: [operator.accountMail(TO, SERVICE)],
  suspendedMail: [suspension.suspendedMail(TO, SENT.host)],
  restoredMail: [suspension.restoredMail(TO, SENT.host)],
  takedownMail: [
    operator.takedownMail({ ...SENT, title: HOSTILE, reason: 'Spam.' }),
    operator.takedownMail({ ...SENT, title: HOSTILE, reason: null }),
  ],
}
/** It has no words but an address, or is a part of those above. */
/** Those of webhooks name the host that the account itself gave. */
const WITHOUT_WORDS = [
  'deletedMail',
  'mailOf',
  'askingMail',
  'addedMail',
  'offMail',
  'personalMail',
]

const TABLE = Object.entries(MAILS).flatMap(([name, mails]) =>
  mails.map((mail, at) => [`${name} ${at + 1}`, mail] as const),
)

/** The text without what it quotes. */
const unquoted = (text: string) => text.replace(/“[^“”]*”/g, '“”')
/** Its own name is no hostile word. */
const SITE = { ...plainSite('pages.example.com'), name: 'Pages' }
const ANY_OF_IT = /handbill|session|evil|the owner”|replied\./i

describe('the service never says what somebody wrote', () => {
  test.each(TABLE)('in the subject of %s', (_name, content) => {
    const { subject } = composeMail(content, SITE)
    expect(unquoted(subject)).not.toMatch(ANY_OF_IT)
    expect(subject.length).toBeLessThan(250)
  })

  test.each(TABLE)(
    'in the text of %s: it stands in quotation marks, or behind a mark in each line',
    (_name, content) => {
      const { text } = composeMail(content, SITE)
      const own = text.split('\n').filter((line) => !line.startsWith('> '))
      expect(unquoted(own.join('\n'))).not.toMatch(ANY_OF_IT)
    },
  )

  test.each(TABLE)('in the HTML of %s, which has no link of theirs', (_name, content) => {
    const { html } = composeMail(content, SITE)
    const own = html.replace(/<blockquote[^>]*>[\s\S]*?<\/blockquote>/g, '')
    expect(unquoted(own)).not.toMatch(ANY_OF_IT)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => new URL(url!).origin)
    expect(links.filter((origin) => origin !== SERVICE)).toEqual([])
  })
})

test('what somebody wrote who confirmed nothing has no address that a mail program links', () => {
  const page = { ...PAGE, title: 'Plan' } as Page
  const by = AUTHORS.anonymous
  const mails = [
    written(comments.replyMail(page, { ...WORDS, author: by, count: 1, at: AT })),
    singleMail(
      { ...CONTEXT, page: { ...CONTEXT.page, title: 'Plan' } },
      { ...EVENT, kind: 'comment', threadId: 'cmt_1', author: by, ...WORDS },
      1,
    ),
    // The passage is that of whoever began the thread.
    singleMail(
      { ...CONTEXT, page: { ...CONTEXT.page, title: 'Plan' } },
      {
        ...{ ...EVENT, kind: 'reply', threadId: 'cmt_1', passage: HOSTILE, body: 'Yes' },
        author: { ...AUTHORS.confirmed, name: null },
      },
      1,
    ),
  ].map((content) => composeMail(content))
  for (const { subject, text, html } of mails) {
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/evil\.example|https:\/\/evil|www\.|mailto:/)
    }
    expect(text).toContain('https[:]//evil[.]example/x')
    expect(html).toContain('https[:]//evil[.]example/x')
  }
})

test.each([
  ['owner', 'The owner (“The owner”) and one more replied to you on “Plan”'],
  [
    'confirmed',
    'Somebody with a confirmed address (“The owner”) and one more replied to you on “Plan”',
  ],
  ['anonymous', 'Somebody who gave the name “The owner” and one more replied to you on “Plan”'],
] as const)('a reply of %s is of whom the service knows: %s', (kind, subject) => {
  const by = { ...AUTHORS[kind], name: 'The owner' }
  const page = { ...PAGE, title: 'Plan' } as Page
  const reply = { author: by, body: null, passage: null, count: 2, at: AT }
  expect(comments.replyMail(page, reply).subject).toBe(subject)
})

test('every function that writes a mail is in this table', () => {
  const root = join(import.meta.dir, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const names = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return [
        ...source.matchAll(/function (\w+)(?:<[^(]*>)?\((?:(?!\nfunction|\n})[\s\S])*?\): (\w+)/g),
      ]
        .filter(([, , type]) => type === 'MailContent' || type === 'CommentMail')
        .map(([, name]) => name!)
    })
  const walked = Object.keys(MAILS).map((name) => name.split(' ').at(-1)!)
  expect(names.toSorted()).toEqual([...walked, ...WITHOUT_WORDS].toSorted())
  // Every kind of event that owners are mailed about is among those above.
  expect(Object.keys(OWNER_MAILS)).toEqual(['view', 'response', 'decision', 'comment', 'reply'])
})

test('a name in a sentence cannot end its quotation, is one line and not long', () => {
  expect(quoted('Ann” of “Handbill\n"x"')).toBe("“Ann' of 'Handbill 'x'”")
  expect([...quoted('x'.repeat(300))]).toHaveLength(102)
})

test('a mail says why it came in words that are true of it alone', () => {
  const [request] = MAILS['access requestMail']!
  expect(request!.reason).toStartWith('You own this page on')
  const [digest] = MAILS.requestDigestMail!
  expect(digest!.reason).toStartWith('You own these pages on')
  // It lets nobody in.
  const [noAccount] = MAILS.noAccountMail!
  expect(noAccount!.reason).not.toContain('nobody gets in')
  expect(MAILS.signInMail![0]!.reason).toContain('without this mail nobody gets in')
})
