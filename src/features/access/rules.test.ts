import { expect, it } from 'bun:test'
import { decide, type Gate, type VisitorFacts } from './rules.ts'

const gate: Gate = {
  is_published: true,
  access: 'link',
  allowed_emails: [],
  allowed_domains: [],
  business_only: false,
  require_signin: false,
  allow_access_requests: false,
  expires_at: null,
}
const stranger: VisitorFacts = {
  is_owner: false,
  emails: [],
  is_signed_in: false,
  gave_password: false,
  isBeyondLimit: false,
  isPersonalDomain: (domain) => domain === 'gmail.com',
}
const nowMs = Date.parse('2026-01-02T00:00:00Z')
const past = '2026-01-01T00:00:00.000000Z'
const exactlyNow = '2026-01-02T00:00:00.000000Z'
const people = { access: 'people', allowed_emails: ['a@b.c'] } as const
const domains = { access: 'email_gate', allowed_domains: ['b.c'] } as const

const CASES: [string, Partial<Gate>, Partial<VisitorFacts>, string][] = [
  ['a link page opens for anyone', {}, {}, 'open'],
  ['a page that is not published shows so', { is_published: false }, {}, 'not_published'],
  ['its owner sees what is to come', { is_published: false }, { is_owner: true }, 'open'],
  ['an expired link shows its notice', { expires_at: past }, {}, 'expired'],
  ['a link expires at its very instant', { expires_at: exactlyNow }, {}, 'expired'],
  ['its owner still opens it', { expires_at: past }, { is_owner: true }, 'open'],
  ['a used-up limit closes the link', {}, { isBeyondLimit: true }, 'view_limit'],
  ['before any gate is shown', people, { isBeyondLimit: true }, 'view_limit'],
  ['but not for the owner', {}, { isBeyondLimit: true, is_owner: true }, 'open'],
  ['a private page opens for nobody else', { access: 'private' }, { emails: ['a@b.c'] }, 'owner'],
  ['a private page opens for its owner', { access: 'private' }, { is_owner: true }, 'open'],
  ['a password page asks for it', { access: 'password' }, { emails: ['a@b.c'] }, 'password'],
  ['and opens with it', { access: 'password' }, { gave_password: true }, 'open'],
  ['a people page asks for an email', people, {}, 'email'],
  ['a password does not open it', people, { gave_password: true }, 'email'],
  ['it opens for an invited email', people, { emails: ['a@b.c'] }, 'open'],
  ['not for another', people, { emails: ['x@b.c'] }, 'another_email'],
  [
    'with sign-in: not by mail',
    { ...people, require_signin: true },
    { emails: ['a@b.c'] },
    'sign_in',
  ],
  [
    'with sign-in: by account',
    { ...people, require_signin: true },
    { emails: ['a@b.c'], is_signed_in: true },
    'open',
  ],
  [
    'with sign-in: an account that is not invited stays out',
    { ...people, require_signin: true },
    { emails: ['x@b.c'], is_signed_in: true },
    'another_email',
  ],
  ['an email gate asks for any email', { access: 'email_gate' }, {}, 'email'],
  ['and opens with any', { access: 'email_gate' }, { emails: ['a@gmail.com'] }, 'open'],
  [
    'business only refuses personal mail',
    { access: 'email_gate', business_only: true },
    { emails: ['a@gmail.com'] },
    'another_email',
  ],
  ['allowed domains let theirs in', domains, { emails: ['a@b.c'] }, 'open'],
  ['and nobody else', domains, { emails: ['a@evil.b.c'] }, 'another_email'],
  ['any confirmed address will do', people, { emails: ['x@b.c', 'a@b.c'] }, 'open'],
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
