import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyCase } from './expect.ts'

interface Row {
  readonly line: number
  readonly quote: string
  readonly tests: string
  readonly state: string
}

function rows(): Row[] {
  const lines = readFileSync(join(import.meta.dir, 'COVERAGE.md'), 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim())
    if (cells.length !== 5 || cells[1] === 'sentence' || /^-+$/.test(cells[1]!)) return []
    return [{ line: index + 1, quote: cells[1]!, tests: cells[2]!, state: cells[3]! }]
  })
}

/** `file: name` of every test, those in suites for several browsers included. */
function tests(): Set<string> {
  const names = new Set<string>()
  for (const file of readdirSync(import.meta.dir, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:test|suite)\.ts$/.test(file)) continue
    const source = readFileSync(join(import.meta.dir, file), 'utf8')
    const matches = source.matchAll(
      /^ *(?:test(?:\.\w+(?:\([^)]*\))?)?|own)\(\s*(['"`])(.+?)\1,/gms,
    )
    const inSuites = source.matchAll(/^ {2}'(.+)': async \(/gm)
    const all = [...matches].map(([, , name]) => name).concat([...inSuites].map(([, name]) => name))
    for (const name of all)
      names.add(`${file.replace(/(?:\.slow)?\.test\.ts$|\.ts$/, '')}: ${name}`)
  }
  return names
}

test('every test that COVERAGE.md names exists', async () => {
  const existing = tests()
  expect(existing.size).toBeGreaterThan(150)
  expect(rows().length).toBeGreaterThan(100)
  await everyCase(
    rows().map((row) => [`COVERAGE.md:${row.line}`, row] as const),
    ({ tests: named, state }) => {
      if (state !== 'tested') return
      for (const name of named.split('<br>')) {
        expect(existing.has(name.trim()), `there is no test "${name.trim()}"`).toBe(true)
      }
      expect(named.length).toBeGreaterThan(0)
    },
  )
})

test('every row of COVERAGE.md has a state', () => {
  for (const { line, state } of rows()) {
    expect(state, `COVERAGE.md:${line}`).toMatch(/^(tested|open: .+|later: .+ issue)$/)
  }
})
