import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_PLANS } from '../model/plan.ts'
import { ConfigError, readConfig } from './config.ts'
import { CONFIGURATION_MD } from './config-docs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handbill-plans-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The plans of a server whose `PLANS_FILE` has this text. */
function plansOf(text: string) {
  const path = join(folder, 'plans.json')
  writeFileSync(path, text)
  return readConfig({ PLANS_FILE: path }).plans
}

function linesOf(text: string): readonly string[] {
  try {
    plansOf(text)
  } catch (err) {
    if (err instanceof ConfigError) return err.lines
    throw err
  }
  return []
}

test('a plans file changes names, prices and limits, and leaves the rest', () => {
  expect(readConfig({}).plans).toBe(DEFAULT_PLANS)
  expect(plansOf('{}')).toEqual(DEFAULT_PLANS)
  const limits = { stored_bytes: 53_687_091_200, link_controls: false }
  const plans = plansOf(JSON.stringify({ pro: { name: 'Studio', price: '12 € a month', limits } }))
  expect(plans).toEqual({
    ...DEFAULT_PLANS,
    pro: {
      name: 'Studio',
      price: '12 € a month',
      limits: { ...DEFAULT_PLANS.pro.limits, ...limits },
    },
  })
})

test('the example of the documentation is a plans file', () => {
  const [, example = ''] = /```json\n(.+?)```/s.exec(readFileSync(CONFIGURATION_MD, 'utf8')) ?? []
  expect(plansOf(example).pro).toMatchObject({ name: 'Studio', price: '12 € a month' })
})

const WRONG: [what: string, text: string, place: string][] = [
  ['no JSON', '{', ' must be JSON.'],
  ['a list', '[]', ': It is wrong.'],
  ['an unknown plan', '{"gold": {}}', ': It is wrong. Unrecognized key: "gold".'],
  ['an unknown member', '{"pro": {"cost": "1"}}', ': pro is wrong. Unrecognized key: "cost".'],
  ['an unknown limit', '{"pro": {"limits": {"x": 1}}}', ': pro.limits is wrong. Unrecognized key'],
  ['an empty name', '{"pro": {"name": " "}}', ': pro.name is wrong.'],
  ['a name of two lines', '{"pro": {"name": "a\\nb"}}', ': pro.name is wrong.'],
  ['a price that is a number', '{"pro": {"price": 9}}', ': pro.price is wrong.'],
  [
    'a limit with a unit',
    '{"free": {"limits": {"stored_bytes": "1 GB"}}}',
    'stored_bytes is wrong.',
  ],
  ['half a byte', '{"free": {"limits": {"stored_bytes": 0.5}}}', 'limits.stored_bytes is wrong.'],
  ['nothing', '{"free": {"limits": {"file_bytes": 0}}}', 'free.limits.file_bytes is wrong.'],
  [
    'too much',
    '{"team": {"limits": {"file_bytes": 268435457}}}',
    'team.limits.file_bytes is wrong.',
  ],
  [
    'less room than a file needs',
    '{"free": {"limits": {"stored_bytes": 5242879}}}',
    ': free.limits.stored_bytes must be at least 5242880, the largest content.',
  ],
]
test.each(WRONG)('a plans file with %s stops the start with one line', (_what, text, place) => {
  const lines = linesOf(text)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toStartWith(`PLANS_FILE (${folder}/plans.json)`)
  expect(lines[0]).toContain(place)
  expect(lines[0]).not.toContain('\n')
})

test('a plans file that is not there stops the start with one line', () => {
  const path = join(folder, 'none.json')
  expect(() => readConfig({ PLANS_FILE: path })).toThrow(
    `PLANS_FILE (${path}) cannot be read (ENOENT).`,
  )
})
