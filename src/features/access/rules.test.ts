import { expect, it } from 'bun:test'
import type { PublishedPage } from '../pages/index.ts'
import { decide, type Gate, open, type VisitorFacts } from './rules.ts'

const gate: Gate = {
  is_trashed: false,
  is_published: true,
  is_suspended: false,
  is_taken_down: false,
  access: 'link',
  allowed_emails: [],
  allowed_domains: [],
  business_only: false,
  require_signin: false,
  allow_access_requests: false,
  agreement: null,
  expires_ms: null,
}
const stranger: VisitorFacts = {
  is_owner: false,
  emails: [],
  is_signed_in: false,
  gave_password: false,
  agreed_version: null,
  isBeyondLimit: false,
  isLinkClosed: false,
}
const nowMs = Date.parse('2026-01-02T00:00:00Z')
const past = nowMs - 1
const people = { access: 'people', allowed_emails: ['a@b.c'] } as const
const domains = { access: 'email_gate', allowed_domains: ['b.c'] } as const

const CASES: [string, Partial<Gate>, Partial<VisitorFacts>, string][] = [
  ['a link page opens for anyone', {}, {}, 'open'],
  ['a page that is not published shows a notice', { is_published: false }, {}, 'not_published'],
  [
    'the owner opens it before it is published',
    { is_published: false },
    { is_owner: true },
    'open',
  ],
  ['a page of a suspended account shows a notice', { is_suspended: true }, {}, 'suspended'],
  ['suspended comes first', { is_suspended: true, is_published: false }, {}, 'suspended'],
  ['its owner gets it, too', { is_suspended: true }, { is_owner: true }, 'suspended'],
  ['a page that was taken down shows a notice', { is_taken_down: true }, {}, 'taken_down'],
  ['taken down comes before expired', { is_taken_down: true, expires_ms: past }, {}, 'taken_down'],
  ['no password opens it', { is_taken_down: true }, { gave_password: true }, 'taken_down'],
  ['its owner opens it', { is_taken_down: true }, { is_owner: true }, 'open'],
  ['an expired page shows a notice', { expires_ms: past }, {}, 'expired'],
  ['a page expires at the very instant', { expires_ms: nowMs }, {}, 'expired'],
  ['the owner opens it after it expired', { expires_ms: past }, { is_owner: true }, 'open'],
  ['a reached view limit shows a notice', {}, { isBeyondLimit: true }, 'view_limit'],
  ['the view limit comes before the gate', people, { isBeyondLimit: true }, 'view_limit'],
  [
    'the view limit does not apply to the owner',
    {},
    { isBeyondLimit: true, is_owner: true },
    'open',
  ],
  ['a private page asks for its owner', { access: 'private' }, { emails: ['a@b.c'] }, 'owner'],
  ['a private page opens for its owner', { access: 'private' }, { is_owner: true }, 'open'],
  [
    'a password page asks for the password',
    { access: 'password' },
    { emails: ['a@b.c'] },
    'password',
  ],
  [
    'a password page opens with the password',
    { access: 'password' },
    { gave_password: true },
    'open',
  ],
  ['a people page asks for an email', people, {}, 'email'],
  ['a password does not open it', people, { gave_password: true }, 'email'],
  ['a people page opens for an invited email', people, { emails: ['a@b.c'] }, 'open'],
  [
    'a people page asks for another email where this one is not invited',
    people,
    { emails: ['x@b.c'] },
    'another_email',
  ],
  [
    'with require_signin, a confirmed email is not enough',
    { ...people, require_signin: true },
    { emails: ['a@b.c'] },
    'sign_in',
  ],
  [
    'with require_signin, an invited account opens it',
    { ...people, require_signin: true },
    { emails: ['a@b.c'], is_signed_in: true },
    'open',
  ],
  [
    'with require_signin, an account that is not invited does not open it',
    { ...people, require_signin: true },
    { emails: ['x@b.c'], is_signed_in: true },
    'another_email',
  ],
  ['an email gate asks for an email', { access: 'email_gate' }, {}, 'email'],
  [
    'an email gate opens with any email',
    { access: 'email_gate' },
    { emails: ['a@gmail.com'] },
    'open',
  ],
  [
    'business_only refuses personal mail',
    { access: 'email_gate', business_only: true },
    { emails: ['a@gmail.com'] },
    'another_email',
  ],
  ['allowed_domains admits their addresses', domains, { emails: ['a@b.c'] }, 'open'],
  [
    'allowed_domains refuses addresses of other domains',
    domains,
    { emails: ['a@evil.b.c'] },
    'another_email',
  ],
  ['one admitted address among several is enough', people, { emails: ['x@b.c', 'a@b.c'] }, 'open'],
]

for (const [name, settings, visit, expected] of CASES) {
  it(name, () => {
    const decision = decide({ ...gate, ...settings }, { ...stranger, ...visit }, nowMs)
    expect(Object.values(decision)).toContain(expected)
  })
}

it('a blocked viewer may ask only where the owner allows it', () => {
  const visit = { ...stranger, emails: ['x@b.c'] }
  const closed = decide({ ...gate, ...people }, visit, nowMs)
  const open = decide({ ...gate, ...people, allow_access_requests: true }, visit, nowMs)
  expect(closed).toMatchObject({ outcome: 'ask', mayRequest: false })
  expect(open).toMatchObject({ outcome: 'ask', mayRequest: true })
})

const PREVIEWS: [string, Partial<Gate>, Partial<VisitorFacts>, string][] = [
  ['opens for the owner', {}, { is_owner: true }, 'open'],
  ['opens before the page is published', { is_published: false }, { is_owner: true }, 'open'],
  ['opens after the page expired', { expires_ms: past }, { is_owner: true }, 'open'],
  ['opens beyond the view limit', {}, { is_owner: true, isBeyondLimit: true }, 'open'],
  ['opens for nobody else, though the page is open to all', {}, {}, 'owner'],
  ['does not open with a password', { access: 'password' }, { gave_password: true }, 'owner'],
  ['does not open for invited people', people, { emails: ['a@b.c'], is_signed_in: true }, 'owner'],
  ['shows nothing of a page that was taken down', { is_taken_down: true }, {}, 'taken_down'],
  ['nor to its owner', { is_taken_down: true }, { is_owner: true }, 'taken_down'],
]

for (const [name, settings, visit, expected] of PREVIEWS) {
  it(`a preview ${name}`, () => {
    const facts = { ...stranger, ...visit }
    const decision = decide({ ...gate, ...settings }, facts, nowMs, 'preview')
    expect(Object.values(decision)).toContain(expected)
  })
}

it('an admission opens its own page alone', () => {
  const [page, other] = [{ gate: { ...gate } }, { gate: { ...gate } }] as unknown as PublishedPage[]
  const decision = decide(page!.gate, stranger, nowMs)
  if (decision.outcome !== 'open') throw new Error('It is closed')
  expect(open(page!, decision)).toBe(page as never)
  expect(() => open(other!, decision)).toThrow('This admission is to another page.')
})
