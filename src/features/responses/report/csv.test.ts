import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fc, runs } from '../../../testing/property.ts'
import { anySubmission, control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { csvHeader, csvLines, type StoredResponse } from './index.ts'

const ABOUT = [
  ...['response_id', 'respondent', 'respondent_name', 'submitted_at'],
  ...['created_at', 'page_version', 'path', 'submit_count'],
]
const ROW_ABOUT = ['response_id', 'respondent', 'respondent_name', 'submitted_at', 'item']

interface Asked {
  key?: string
  controls?: Parameters<typeof reportOf>[1]
  about?: Partial<StoredResponse>
}

function csvOf(sent: readonly unknown[], { key, controls, about }: Asked = {}): string {
  const texts = sent.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const digest = reportOf(texts, controls)
  const split = key === undefined ? null : digest.split(key)
  const responses = texts.map((data, i) => storedResponse(data, { id: `resp_${i}`, ...about }))
  const lines = responses.flatMap((response) => [...csvLines(response, digest, split)])
  return csvHeader(digest, split) + lines.join('')
}

/** RFC 4180 to the letter: throws at whatever it does not allow. */
function readStrictly(file: string): string[][] {
  const text = file.replace(/^\ufeff/, '')
  const records: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, quoted, plain, end] = cell.exec(text) ?? fail(`Not a cell at ${at}: ${text.slice(at)}`)
    records.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\r\n') records.push([])
  }
  expect(records.pop()).toEqual([])
  return records
}
function fail(why: string): never {
  throw new Error(why)
}

/** The cells of the fields alone, of the response's line or the header. */
function cellsOf(sent: unknown[], asked?: Asked): string[] {
  return readStrictly(csvOf(sent, asked)).at(-1)!.slice(ABOUT.length)
}
function headersOf(sent: unknown[], asked?: Asked): string[] {
  return readStrictly(csvOf(sent, asked))[0]!
}

test('is a header and a line for each response, ended as RFC 4180 says, after a mark', () => {
  const about = { name: 'Ada', page_version: '2026', path: 'two.html', submit_count: 3 }
  expect(csvOf([{ a: 1, b: 'x' }, { a: 2 }], { about })).toBe(
    `\ufeff${[...ABOUT, 'a', 'b'].join(',')}\r\n` +
      'resp_0,Green Heron,Ada,2026-01-02T00:00:00.000000Z,2026-01-02T00:00:00.000000Z,' +
      '2026,two.html,3,1,x\r\n' +
      'resp_1,Green Heron,Ada,2026-01-02T00:00:00.000000Z,2026-01-02T00:00:00.000000Z,' +
      '2026,two.html,3,2,\r\n',
  )
})

test('of no responses is the header alone', () => {
  expect(csvOf([])).toBe(`\ufeff${ABOUT.join(',')}\r\n`)
})

describe('a cell', () => {
  test.each<[string, unknown, string]>([
    ['a number stands as it is', -5, '-5'],
    ['also a long one', '{"a":-12345678901234567890}', '-12345678901234567890'],
    ['a boolean too', true, 'true'],
    ['nothing is empty', null, ''],
    ['text that looks like a number stays text', '-5', "'-5"],
    ['text', 'say "a, b"\r\nand c', 'say "a, b"\r\nand c'],
    ['a list', ['a', 'b', 3], 'a; b; 3'],
    ['a list with a semicolon', ['a;b', 'c'], '["a;b","c"]'],
    ['a list of objects', [{ b: 1 }], '[{"b":1}]'],
    ['a formula', '=1+1', "'=1+1"],
    ['another', '+1', "'+1"],
    ['another', '-1', "'-1"],
    ['another', '@A1', "'@A1"],
    ['after a tab', '\t=1', "'\t=1"],
    ['after a line', '\r=1', "'\r=1"],
    ['in a list', ['=1', 'b'], "'=1; b"],
    ['not within', 'a=1', 'a=1'],
    ['what UTF-8 cannot hold', 'a\0b\ud800', 'a\ufffdb\ufffd'],
  ])('%s', (_, value, cell) => {
    const sent = typeof value === 'string' && value.startsWith('{') ? value : { a: value }
    expect(cellsOf([sent])).toEqual([cell])
  })

  test('of a number’s control stands as it is where it is one', () => {
    const controls = [control('a', 'number')]
    expect(cellsOf([{ a: '-5' }], { controls })).toEqual(['-5'])
    expect(cellsOf([{ a: '-5+cmd' }], { controls })).toEqual(["'-5+cmd"])
  })

  test('about the response is guarded too', () => {
    const about = { name: '=1', respondent: '+x@example.com', path: '@a/b.html' }
    const [, line] = readStrictly(csvOf([{}], { about }))
    expect(line?.slice(0, 3)).toEqual(['resp_0', "'+x@example.com", "'=1"])
    expect(line?.[6]).toBe("'@a/b.html")
  })
})

describe('a header', () => {
  test.each<[string, string, string[]]>([
    ['of our names says that it is a value', '{"path":1,"item":2}', ['values.path', 'item']],
    ['even twice', '{"path":1,"values.path":2}', ['values.path', 'values.path (2)']],
    ['is guarded', '{"=a":1,"-b":2}', ["'=a", "'-b"]],
    ['and stays the only one', '{"=a":1,"\'=a":2}', ["'=a", "'=a (2)"]],
    ['in UTF-8 too', '{"\\ud800":1,"\\ud801":2}', ['\ufffd', '\ufffd (2)']],
  ])('%s', (_, sent, headers) => {
    expect(headersOf([sent]).slice(ABOUT.length)).toEqual(headers)
    expect(cellsOf([sent])).toEqual(['1', '2'])
  })
})

describe('with a list split', () => {
  const sent = [
    { who: 'Ada', item: 1, items: [{ who: '=Bo', n: -1 }, { n: 2 }, '+3'], tags: ['x', 'y'] },
    { who: 'Cy', items: [] },
    { who: 'Di' },
  ]

  test('there is a line for each item, and one for a response without any', () => {
    const records = readStrictly(csvOf(sent, { key: 'items' }))
    const header = [...ROW_ABOUT, 'who', 'values.item', 'tags', 'items.who', 'n', 'items']
    expect(records[0]).toEqual(header)
    expect(records.slice(1).map((record) => [record[0], ...record.slice(4)])).toEqual([
      ['resp_0', '1', 'Ada', '1', 'x; y', "'=Bo", '-1', ''],
      ['resp_0', '2', 'Ada', '1', 'x; y', '', '2', ''],
      ['resp_0', '3', 'Ada', '1', 'x; y', '', '', "'+3"],
      ['resp_1', '', 'Cy', '', '', '', '', ''],
      ['resp_2', '', 'Di', '', '', '', '', ''],
    ])
  })

  test('other lists of objects are left out', () => {
    const file = csvOf([{ a: [{ b: 'kept' }], c: [{ d: 'left out' }] }], { key: 'a' })
    expect(file).toContain('kept')
    expect(file).not.toContain('left out')
  })
})

/** The files of anything that can be sent, of each list that can be split too. */
const anyFile = fc.array(anySubmission, { maxLength: 4 }).map((sent) => {
  const { explodable } = reportOf(sent)
  return [csvOf(sent), ...explodable.map((key) => csvOf(sent, { key }))]
})

describe('for all that can be sent', () => {
  test('a strict reader reads it: lines of one length, and no header twice', () => {
    const property = fc.property(anyFile, (files) => {
      for (const file of files) {
        expect(file.isWellFormed()).toBe(true)
        expect(file).not.toContain('\0')
        const records = readStrictly(file)
        const [header = []] = records
        expect(new Set(header).size).toBe(header.length)
        expect(new Set(records.map((record) => record.length))).toEqual(new Set([header.length]))
        for (const cell of records.flat()) {
          const isFormula = /^[=+\-@\t\r]/.test(cell) && !/^-[\d.e+-]+$/.test(cell)
          expect(isFormula).toBe(false)
        }
      }
    })
    fc.assert(property, runs(500))
  })

  const python = spawnSync('python3', ['-c', 'import csv'])
  test.skipIf(python.status !== 0)('another reader reads the same', () => {
    const files = fc.sample(anyFile, { numRuns: 200, seed: 1 }).flat()
    const read =
      'import csv, io, json, sys\n' +
      'csv.field_size_limit(10**9)\n' +
      'read = lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=True))\n' +
      'print(json.dumps([read(file[1:]) for file in json.load(sys.stdin)]))\n'
    const { stdout } = spawnSync('python3', ['-c', read], {
      input: JSON.stringify(files),
      maxBuffer: 1e9,
      timeout: 20_000,
    })
    expect(JSON.parse(String(stdout))).toEqual(files.map(readStrictly))
  })
})
