import { expect, test } from 'bun:test'
import { type OpenFacts, openTo } from './facts.ts'

const OPEN: OpenFacts = {
  trashed_at: null,
  is_published: true,
  closed_by: null,
  expires_at: null,
  max_views: null,
  access: 'link',
  allowed_emails: [],
  require_signin: false,
  allowed_domains: [],
  business_only: false,
  agreement: null,
}
const people = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@x.example`)

test.each<[Partial<OpenFacts>, string]>([
  [{}, 'anyone with the link'],
  [{ access: 'password' }, 'anyone with the password'],
  [{ access: 'private' }, 'only you'],
  [{ access: 'people', allowed_emails: people(1) }, 'only 1 invited person'],
  [{ access: 'people', allowed_emails: people(3) }, 'only 3 invited people'],
  [
    { access: 'people', allowed_emails: people(3), require_signin: true },
    'only 3 invited people, signed in',
  ],
  [{ access: 'people' }, 'nobody: no one is invited'],
  [{ access: 'people', allowed_domains: ['x.example'] }, 'nobody: no one is invited'],
  [{ access: 'email_gate' }, 'anyone who confirms an email address'],
  [{ access: 'email_gate', business_only: true }, 'anyone who confirms a business address'],
  [
    {
      ...{ access: 'email_gate', business_only: true, agreement: {} },
      allowed_domains: ['gmail.com', 'mail.gmx.de'],
    },
    'nobody: business_only refuses each of allowed_domains',
  ],
  [
    { access: 'email_gate', business_only: true, allowed_domains: ['gmail.com', 'a.example'] },
    'anyone who confirms a business address at gmail.com or a.example',
  ],
  [
    { access: 'email_gate', allowed_domains: ['a.example', 'b.example'] },
    'anyone who confirms an email address at a.example or b.example',
  ],
  [
    { access: 'email_gate', allowed_domains: people(4) },
    'anyone who confirms an email address at one of 4 domains',
  ],
  [{ agreement: {} }, 'anyone with the link, after accepting its agreement'],
  [{ agreement: {}, access: 'private' }, 'only you'],
  [{ agreement: {}, access: 'people' }, 'nobody: no one is invited'],
  [
    { agreement: {}, access: 'people', allowed_emails: people(1) },
    'only 1 invited person, after accepting its agreement',
  ],
  [{ is_published: false }, 'nobody: it is not published'],
  [{ is_published: false, access: 'private' }, 'nobody: it is not published'],
  [
    { closed_by: 'expired', expires_at: '2026-11-21T10:00:30.000000Z' },
    'nobody: it expired on 2026-11-21 10:00 UTC',
  ],
  [{ closed_by: 'view_limit', max_views: 1 }, 'nobody: it has reached its limit of 1 view'],
  [{ closed_by: 'taken_down' }, 'nobody: the operator of the server took it down'],
  [{ expires_at: '2126-11-21T10:00:00Z', max_views: 9 }, 'anyone with the link'],
])('a page with %j is open to: %s', (facts, words) => {
  expect(openTo({ ...OPEN, ...facts })).toBe(words)
})
