/** A change of a page by REST, by MCP and in the app: one outcome, and one page after it. */
import { expect, test } from 'bun:test'
import type { PageObject } from '../model/page/page-object.ts'
import { ENGINES, type Engine, testApp } from '../testing/app.ts'
import { agentWith } from '../testing/mcp.ts'
import { fc, runs } from '../testing/property.ts'
import { sessionOf } from '../testing/signed-in.ts'

const RUNS: Record<Engine, number> = { sqlite: 150, postgres: 20 }

/** Values of each setting, some of which are refused, have no effect or need others. */
const VALUES: Record<string, unknown[]> = {
  title: ['', 'x'.repeat(201)],
  slug: ['A', null],
  access: ['link', 'people', 'private', 'password', 'email_gate', 'nobody'],
  password: ['abcd', 'a', null],
  allowed_emails: [[], ['ann@example.com', 'ANN@example.com'], ['ann']],
  require_signin: [true, false],
  allow_access_requests: [true, 1],
  allowed_domains: [[], ['EXAMPLE.com'], ['a b']],
  business_only: [true, 'yes'],
  expires_at: [null, '2099-01-01T00:00:00+02:00', 'soon'],
  max_views: [null, 0, 1, 1.5],
  download_disabled: [true, false],
  watermark: [true, false],
  folder: ['Plans', null, ''],
  accent: ['red', 'pinkish'],
  fallback: ['index.html', null, 'other.html'],
  indexed: [true, false],
  og_title: ['Words', null, ''],
  og_description: ['Two\nlines', null],
  allow_comments: [true, false],
  comments_require_email: [true, false],
  collect_approvals: [true, false],
  approver_emails: [['ann@example.com'], []],
  approvals_visibility: ['shared', 'owner', 'all'],
  collect_votes: [true, false],
  poll_question: ['Which one?', null],
  poll_options: [['A', 'B'], ['A'], ['A', 'A'], []],
  poll_require_email: [true, false],
  poll_results: ['vote', 'closed', 'nobody'],
  poll_named: [true, false],
  agreement: [null, { text: 'Tell nobody.' }, { text: '' }, { require: 'email' }],
  html: ['<p>one', '<p>two', '', 'ELIDED-BY-SERVICE-9-CHARS'],
  addresses: [[], ['cmt_none']],
  nonsense: [1],
}
const setting = fc.oneof(
  ...Object.entries(VALUES).map(([name, values]) =>
    fc.constantFrom(...values).map((value) => [name, value] as const),
  ),
)
const change = fc.array(setting, { minLength: 1, maxLength: 5 }).map(Object.fromEntries)

interface Outcome {
  error?: { code: string; param?: string }
  warnings?: { code: string; param?: string }[]
}

/** The code of a refusal, or those of all warnings, each with what it names. */
function codesOf({ error, warnings = [] }: Outcome): string[] {
  const all = error === undefined ? warnings : [error]
  return all.map(({ code, param = '' }) => `${code} ${param}`).sort()
}

/** Without what differs from page to page, or is made at random. */
function comparable({ id, slug, url, title, password, ...page }: PageObject) {
  const { created_at, updated_at, published_at, ...same } = page
  return same
}

for (const engine of ENGINES) {
  test(`a change has one outcome by REST, by MCP and in the app, on ${engine}`, async () => {
    await using app = await testApp(engine)
    for (const plan of ['free', 'pro'] as const) {
      const owner = await app.owner({ plan })
      const agent = agentWith(app, owner.key)
      const browser = await sessionOf(app, owner.email)
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await owner.publish('<title>Plan</title>')).id),
      )
      const [one = '', two = '', three = ''] = ids
      const property = fc.asyncProperty(change, async (sent) => {
        const byRest = await owner.call<Outcome>('PATCH', `/pages/${one}`, sent)
        const byTool = await agent.call('update_page', { page_id: two, ...sent })
        const inApp = await browser.call<Outcome>('PATCH', `/pages/${three}`, sent)
        const codes = codesOf(byRest.body)
        expect(codesOf(byTool.json)).toEqual(codes)
        expect(codesOf(inApp.body)).toEqual(codes)
        const [page, ...others] = await Promise.all(ids.map((id) => owner.page(id)))
        for (const other of others) expect(comparable(other)).toEqual(comparable(page!))
      })
      await fc.assert(property, runs(RUNS[engine]))
    }
    expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  }, 240_000)
}
