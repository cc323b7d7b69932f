import { describe, expect, test } from 'bun:test'
import { DEFAULT_SETTINGS } from '../src/model/page/index.ts'
import { oneLine, tabSeparated, WrongUsage } from './output.ts'
import { parseSettings, settingFlags } from './settings.ts'

const NOW = { cwd: import.meta.dir, nowMs: Date.parse('2026-11-21T10:00:00Z') }

test('every setting of a page is an option, and no content field is', () => {
  const flags = new Map(settingFlags().map((flag) => [flag.flag, flag]))
  for (const name of [...Object.keys(DEFAULT_SETTINGS), 'max_views', 'password', 'title', 'slug']) {
    expect(flags.get(name.replaceAll('_', '-'))?.name).toBe(name)
  }
  for (const name of ['html', 'files', 'sha256', 'entry', 'publish', 'id']) {
    expect(flags.has(name)).toBe(false)
  }
  expect(flags.get('access')).toMatchObject({ type: 'text', isNullable: false })
  expect(flags.get('access')!.choices).toContain('email_gate')
  expect(flags.get('max-views')).toMatchObject({ type: 'number', isNullable: true })
  expect(flags.get('email')).toMatchObject({ type: 'list', name: 'allowed_emails' })
})

describe('parseSettings', () => {
  const cases: [options: Record<string, unknown>, settings: Record<string, unknown>][] = [
    [{}, {}],
    [
      { indexed: false, 'notify-on-view': true },
      { indexed: false, notify_on_view: true },
    ],
    [{ 'max-views': '100' }, { max_views: 100 }],
    [{ 'max-views': '' }, { max_views: null }],
    [{ title: '' }, { title: null }],
    [{ slug: '' }, { slug: '' }],
    [{ expires: '90m' }, { expires_at: '2026-11-21T11:30:00.000000Z' }],
    [{ 'expires-at': '2w' }, { expires_at: '2026-12-05T10:00:00.000000Z' }],
    [{ expires: '2027-01-01T00:00:00+01:00' }, { expires_at: '2026-12-31T23:00:00.000000Z' }],
    [{ expires: '2027-01-01' }, { expires_at: '2027-01-01T23:59:59.999999Z' }],
    [{ expires: '' }, { expires_at: null }],
    [{ 'og-title': '7d' }, { og_title: '7d' }],
    [{ password: 'abcd' }, { password: 'abcd', access: 'password' }],
    [
      { password: 'abcd', access: 'password' },
      { password: 'abcd', access: 'password' },
    ],
    [{ email: ['a@x.example, b@x.example', 'c@x.example'] }, people('a', 'b', 'c')],
    [{ email: ['b@x.example'], 'allowed-emails': ['a@x.example'] }, people('a', 'b')],
    [{ agreement: 'Tell nobody.' }, { agreement: { text: 'Tell nobody.' } }],
    [{ agreement: '' }, { agreement: null }],
    [{ 'agreement-require': 'email' }, { agreement: { require: 'email' } }],
    [{ 'poll-option': ['Yes, now', 'No'] }, { poll_options: ['Yes, now', 'No'] }],
  ]
  for (const [options, settings] of cases) {
    test(`parses ${JSON.stringify(options)}`, () =>
      expect(parseSettings(options, NOW)).toEqual(settings))
  }

  test('refuses text that is not a number', () => {
    for (const text of ['many', '-1', '1.5', '1e3']) {
      expect(() => parseSettings({ 'max-views': text }, NOW)).toThrow(WrongUsage)
    }
  })

  test('refuses the options of a poll in one text', () => {
    const message = 'Repeat --poll-option for each option: a comma is part of its text.'
    for (const flag of ['poll-option', 'poll-options']) {
      expect(() => parseSettings({ [flag]: ['Yes,No'] }, NOW)).toThrow(new WrongUsage(message))
    }
  })

  test('refuses a value that is none of the choices', () => {
    const message = '--access takes link, people, private, password, email_gate.'
    expect(() => parseSettings({ access: 'secret' }, NOW)).toThrow(new WrongUsage(message))
  })

  test('refuses a password with an access that would ignore it', () => {
    for (const access of ['link', 'people', 'private', 'email_gate']) {
      const parse = () => parseSettings({ password: 'abcd', access }, NOW)
      expect(parse).toThrow(
        new WrongUsage(`--password closes a page with --access password, not ${access}.`),
      )
    }
  })

  test('refuses text that is not a time, and says which forms are allowed', () => {
    for (const text of ['tomorrow', '7 days', '7x']) {
      expect(() => parseSettings({ expires: text }, NOW)).toThrow(/^--expires takes a time.+7d/)
    }
  })
})

test('control characters cannot add a cell or a line', () => {
  const row = { title: 'a\tb\r\nc\u001b[2Jd\u0085e\u2028f\u202eg', link: null }
  expect(tabSeparated([row, { title: ' x ', link: 'y' }])).toEqual(['a b c [2Jd e f g\t', 'x\ty'])
  expect(oneLine(null)).toBe('')
})

function people(...names: string[]) {
  return { allowed_emails: names.map((name) => `${name}@x.example`), access: 'people' }
}
