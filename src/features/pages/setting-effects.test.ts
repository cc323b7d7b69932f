import { describe, expect, it } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { settingsFields } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { chunk } from '../../platform/drawing/raster.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { LOCKED_PDF } from '../../testing/locked-pdf.ts'
import { base64 } from '../../testing/material.ts'
import type { Answer, Refused } from '../../testing/people.ts'
import { samplePdf } from '../../testing/sample-pdf.ts'
import type { Warning } from '../content/contract.ts'

interface Written {
  data: PageObject
  warnings: Warning[]
}

const HTML = '<!doctype html><meta name="viewport" content="width=device-width"><p>secret</p>'
const EMAILS = ['ann@example.com']
const POLL = { poll_question: 'Which?', poll_options: ['A', 'B'] }

/** Settings, and which of them have no effect as they are. The cure of each is a setting. */
const WITHOUT_EFFECT: [what: string, sent: object, cures: Record<string, string>][] = [
  ['invited people of an open page', { allowed_emails: EMAILS }, { allowed_emails: 'access' }],
  [
    'sign-in and access requests of an open page',
    { require_signin: true, allow_access_requests: true },
    { require_signin: 'access', allow_access_requests: 'access' },
  ],
  [
    'domains of a page with a password',
    { access: 'password', allowed_domains: ['x.example'], business_only: true },
    { allowed_domains: 'access', business_only: 'access' },
  ],
  [
    'domains of a page for people',
    { access: 'people', allowed_emails: EMAILS, allowed_domains: ['x.example'] },
    { allowed_domains: 'access' },
  ],
  ['a listing of a private page', { access: 'private', indexed: true }, { indexed: 'access' }],
  [
    'approvers without approvals',
    { approver_emails: EMAILS, approvals_visibility: 'shared' },
    { approver_emails: 'collect_approvals', approvals_visibility: 'collect_approvals' },
  ],
  [
    'a poll that is off',
    { ...POLL, poll_require_email: true, poll_results: 'owner', poll_named: true },
    {
      ...{ poll_question: 'collect_votes', poll_options: 'collect_votes' },
      ...{ poll_require_email: 'collect_votes', poll_results: 'collect_votes' },
      poll_named: 'collect_votes',
    },
  ],
  [
    'the end of a poll that is off',
    { poll_closes_at: '2100-01-01T00:00:00.000000Z' },
    { poll_closes_at: 'collect_votes' },
  ],
  [
    'names in a poll without addresses',
    { collect_votes: true, ...POLL, poll_named: true },
    { poll_named: 'poll_require_email' },
  ],
  [
    'addresses of commenters without comments',
    { comments_require_email: true },
    { comments_require_email: 'allow_comments' },
  ],
]

/** Settings that all have their effect, or ask for nothing. */
const WITH_EFFECT: [what: string, sent: object][] = [
  ['people', { access: 'people', allowed_emails: EMAILS, require_signin: true }],
  ['an email gate', { access: 'email_gate', allowed_domains: ['x.example'], business_only: true }],
  ['a password', { access: 'password', password: 'four short words' }],
  ['a generated password', { access: 'password' }],
  ['a private page', { access: 'private' }],
  ['a listed page', { indexed: true }],
  ['approvals', { collect_approvals: true, approver_emails: EMAILS }],
  ['a poll', { collect_votes: true, ...POLL, poll_require_email: true, poll_named: true }],
  [
    'defaults of what is off',
    {
      ...{ allowed_emails: [], allowed_domains: [], business_only: false, require_signin: false },
      ...{ approver_emails: [], poll_question: null, poll_options: [], poll_named: false },
      ...{ poll_results: 'public', poll_closes_at: null, indexed: false },
    },
  ],
]

function effectsIn({ body }: Answer<Written>): [string, string | undefined, boolean][] {
  return body.warnings.map(({ code, param, message, path, line }) => {
    expect([path, line]).toEqual([null, null])
    return [code, param, message.startsWith(`${param} has no effect while `)]
  })
}

for (const engine of ENGINES) {
  describe(`a setting without effect, on ${engine}`, () => {
    it('is refused where a new page has a password that nobody would be asked for', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      for (const access of [undefined, 'link', 'people', 'private', 'email_gate']) {
        for (const publish of [true, false]) {
          const sent = { html: HTML, access, password: 'four short words', publish }
          const refused = await owner.call<Refused>('POST', '/pages', sent)
          expect([refused.status, refused.body.error]).toMatchObject([
            400,
            {
              code: 'contradictory_settings',
              param: 'password',
              message: expect.stringContaining('set access to "password" as well'),
            },
          ])
        }
      }
      expect(await app.rows('pages')).toEqual([])
    })

    it('is a password that an update sends to a page with another access, which stays open', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id, slug } = await owner.publish(HTML)
      for (const password of ['four short words', null]) {
        const { body } = await owner.call<Written>('PATCH', `/pages/${id}`, { password })
        expect(body.warnings).toMatchObject([
          {
            ...{ code: 'no_effect', param: 'password' },
            message: 'password has no effect while access is link: set access to password.',
          },
        ])
        expect(body.data.open_to).toBe('anyone with the link')
      }
      expect((await app.open(`/p/${slug}`)).status).toBe(200)
      const closed = await owner.call<Written>('PATCH', `/pages/${id}`, { access: 'password' })
      expect([closed.body.warnings, closed.body.data.open_to]).toEqual([
        [],
        'anyone with the password',
      ])
      expect((await app.open(`/p/${slug}`)).status).toBe(403)
    })

    it('is nothing of what was stored before the access changed, which stays stored', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish(HTML, { access: 'people', allowed_emails: EMAILS })
      const { body } = await owner.call<Written>('PATCH', `/pages/${id}`, { access: 'private' })
      expect([body.warnings, body.data.allowed_emails]).toEqual([[], EMAILS])
    })
  })

  it(`a page that nobody can open says so at every write, on ${engine}`, async () => {
    await using app = await testApp(engine)
    const owner = await app.owner()
    const sent = { html: HTML, access: 'people' }
    const created = await owner.call<Written>('POST', '/pages', sent)
    const { id } = created.body.data
    const edits = [{ find: 'secret', replace: 'other' }]
    const answers = [
      created,
      await owner.call<Written>('PATCH', `/pages/${id}`, { accent: 'red' }),
      await owner.call<Written>('PATCH', `/pages/${id}/html`, { edits }),
      await owner.call<Written>('POST', `/pages/${id}/publish`),
      await owner.call<Written>('POST', `/pages/${id}/versions/1/restore`, {}),
    ]
    for (const { body } of answers) {
      expect(body.warnings.map(({ code, param }) => [code, param])).toEqual([
        ['nobody_can_open', 'allowed_emails'],
      ])
    }
    const invited = { allowed_emails: EMAILS }
    const updated = await owner.call<Written>('PATCH', `/pages/${id}`, invited)
    expect([updated.body.warnings, updated.body.data.open_to]).toEqual([
      [],
      'only 1 invited person',
    ])
  })
}

it('a business gate for domains of personal mail alone is warned of while nobody can open it', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const gate = { access: 'email_gate', business_only: true, allowed_domains: ['gmail.com'] }
  const created = await owner.call<Written>('POST', '/pages', { html: HTML, ...gate })
  const warned = [{ code: 'nobody_can_open', param: 'allowed_domains', path: null, line: null }]
  expect(created.body.warnings).toMatchObject(warned)
  expect(created.body.data.open_to).toStartWith('nobody: business_only refuses')
  const path = `/pages/${created.body.data.id}`
  const domains = ['gmail.com', 'x.example']
  for (const [change, warnings] of [
    [{ business_only: false }, []],
    [{ business_only: true }, warned],
    [{ allowed_domains: domains }, []],
    [{ allowed_domains: ['gmx.de'] }, warned],
    [{ allowed_domains: [] }, []],
  ] as const) {
    const { body } = await owner.call<Written>('PATCH', path, change)
    expect([change, body.warnings]).toMatchObject([change, [...warnings]])
    expect(body.warnings).toHaveLength(warnings.length)
  }
})

it('a setting without effect is kept and warned of, by a create and an update alike', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  for (const [what, sent, cures] of WITHOUT_EFFECT) {
    const created = await owner.call<Written>('POST', '/pages', { html: HTML, ...sent })
    const expected = Object.keys(cures).map((name) => ['no_effect', name, true])
    const results: unknown[] = effectsIn(created)
    expect([what, created.status, results.sort()]).toEqual([what, 201, expected.sort()])
    const { id } = await owner.publish(HTML)
    const updated = await owner.call<Written>('PATCH', `/pages/${id}`, sent)
    expect(updated.body.warnings).toEqual(created.body.warnings)
    for (const { param, message } of created.body.warnings) {
      expect(message).toContain(`: set ${cures[param!]} to `)
      expect(updated.body.data[param as 'indexed']).toEqual(sent[param as keyof typeof sent])
    }
    const later = await owner.call<Written>('PATCH', `/pages/${id}`, { accent: 'red' })
    expect(later.body.warnings).toEqual([])
  }
})

it('a setting that has its effect is not warned of', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  for (const [what, sent] of WITH_EFFECT) {
    const created = await owner.call<Written>('POST', '/pages', { html: HTML, ...sent })
    expect([what, created.status, created.body.warnings]).toEqual([what, 201, []])
    const { id } = await owner.publish(HTML)
    const updated = await owner.call<Written>('PATCH', `/pages/${id}`, sent)
    expect([what, updated.status, updated.body.warnings]).toEqual([what, 200, []])
  }
})

it('every setting is in a case of these tests, or has its effect by itself', () => {
  const tried = WITHOUT_EFFECT.flatMap(([, , cures]) => Object.keys(cures))
  const byThemselves = [
    ...['access', 'accent', 'expires_at', 'fallback', 'og_title'],
    ...['og_description', 'allow_comments', 'collect_approvals', 'collect_votes'],
    ...['responses_closed_at', 'notify_on_view', 'notify_on_response', 'notify_on_comment'],
    // What they act on is no setting: the next test.
    ...['notify_on_decision', 'folder', 'watermark', 'download_disabled'],
  ]
  expect([...new Set([...tried, ...byThemselves])].sort()).toEqual(
    Object.keys(settingsFields).sort(),
  )
})

it.each(['watermark', 'download_disabled'] as const)(
  '%s of a page that is no PDF or image is warned of',
  async (param) => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const warned = [{ code: 'no_effect', param, path: null, line: null }]
    const ofHtml = { html: HTML, [param]: true }
    const created = await owner.call<Written>('POST', '/pages', ofHtml)
    expect(created.body.warnings).toMatchObject(warned)
    const path = `/pages/${created.body.data.id}`
    const updated = await owner.call<Written>('PATCH', path, { [param]: true })
    expect([updated.body.data[param], updated.body.warnings]).toMatchObject([true, warned])
    const off = await owner.call<Written>('PATCH', path, { [param]: false })
    expect(off.body.warnings).toEqual([])
    const whole = base64(samplePdf({ pages: 1 }))
    const ofPdf = { file_base64: whole, filename: 'a.pdf', [param]: true }
    const pdf = await owner.call<Written>('POST', '/pages', ofPdf)
    expect([pdf.status, pdf.body.data[param], pdf.body.warnings]).toEqual([201, true, []])
  },
)

it('a watermark of a file that cannot be marked is warned of, however it is set', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const warned = [{ code: 'nobody_can_open', param: 'watermark', path: null, line: null }]
  const locked = { file_base64: base64(LOCKED_PDF), filename: 'a.pdf' }
  const large = { file_base64: base64(blankPng(10_000, 5_001)), filename: 'a.png' }
  for (const file of [locked, large]) {
    const created = await owner.call<Written>('POST', '/pages', { ...file, watermark: true })
    expect([created.status, created.body.warnings]).toMatchObject([201, warned])
    const path = `/pages/${created.body.data.id}`
    const off = await owner.call<Written>('PATCH', path, { watermark: false })
    expect(off.body.warnings).toEqual([])
    const on = await owner.call<Written>('PATCH', path, { watermark: true })
    expect(on.body.warnings).toMatchObject(warned)
    const published = await owner.call<Written>('POST', `${path}/publish`)
    expect(published.body.warnings).toMatchObject(warned)
    expect((await app.visitor().open(`/p/${created.body.data.slug}?file`)).status).toBe(422)
  }
  const fine = { file_base64: base64(blankPng(10_000, 5_000)), filename: 'a.png', watermark: true }
  expect((await owner.call<Written>('POST', '/pages', fine)).body.warnings).toEqual([])
}, 60_000)

/** A PNG of so many pixels, of which only the header says so. */
function blankPng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const data = chunk('IDAT', deflateSync(Buffer.alloc(10)))
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', '')])
}
