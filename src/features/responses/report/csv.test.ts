import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { fc, runs } from '../../../testing/property.ts'
import { anySubmission, control, reportOf, storedResponse } from '../../../testing/reports.ts'
import { csvHeader, csvLines, type StoredResponse } from './index.ts'

const COLUMNS = [
  ...['response_id', 'respondent', 'respondent_name', 'submitted_at'],
  ...['created_at', 'page_version', 'path', 'submit_count'],
]
const ROW_COLUMNS = ['response_id', 'respondent', 'respondent_name', 'submitted_at', 'item']

interface CsvOptions {
  key?: string
  controls?: Parameters<typeof reportOf>[1]
  about?: Partial<StoredResponse>
}

function csvOf(sent: readonly unknown[], { key, controls, about }: CsvOptions = {}): string {
  const texts = sent.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const report = reportOf(texts, controls)
  const split = key === undefined ? null : report.split(key)
  const responses = texts.map((data, i) => storedResponse(data, { id: `resp_${i}`, ...about }))
  const lines = responses.flatMap((response) => [...csvLines(response, report, split)])
  return csvHeader(report, split) + lines.join('')
}

/** Parses exactly what RFC 4180 allows, and throws at anything else. */
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
function fail(message: string): never {
  throw new Error(message)
}

/** The last line without the columns that every response has. */
function cellsOf(sent: unknown[], options?: CsvOptions): string[] {
  return readStrictly(csvOf(sent, options)).at(-1)!.slice(COLUMNS.length)
}
function headersOf(sent: unknown[], options?: CsvOptions): string[] {
  return readStrictly(csvOf(sent, options))[0]!
}

test('a file has a byte order mark, a header and a line for each response, with CRLF', () => {
  const about = { name: 'Ada', page_version: '2026', path: 'two.html', submit_count: 3 }
  expect(csvOf([{ a: 1, b: 'x' }, { a: 2 }], { about })).toBe(
    `\ufeff${[...COLUMNS, 'a', 'b'].join(',')}\r\n` +
      'resp_0,Green Heron,Ada,2026-01-02T00:00:00.000000Z,2026-01-02T00:00:00.000000Z,' +
      '2026,two.html,3,1,x\r\n' +
      'resp_1,Green Heron,Ada,2026-01-02T00:00:00.000000Z,2026-01-02T00:00:00.000000Z,' +
      '2026,two.html,3,2,\r\n',
  )
})

test('a file without responses has only the header', () => {
  expect(csvOf([])).toBe(`\ufeff${COLUMNS.join(',')}\r\n`)
})

describe('a cell', () => {
  test.each<[string, unknown, string]>([
    ['a number is not escaped', -5, '-5'],
    ['nor is a long number', '{"a":-12345678901234567890}', '-12345678901234567890'],
    ['a boolean is not escaped', true, 'true'],
    ['null is empty', null, ''],
    ['text that looks like a number is escaped', '-5', "'-5"],
    ['text', 'say "a, b"\r\nand c', 'say "a, b"\r\nand c'],
    ['a list', ['a', 'b', 3], 'a; b; 3'],
    ['a list with a semicolon', ['a;b', 'c'], '["a;b","c"]'],
    ['a list of objects', [{ b: 1 }], '[{"b":1}]'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula', '+1', "'+1"],
    ['a formula', '-1', "'-1"],
    ['a formula', '@A1', "'@A1"],
    ['a formula after a tab', '\t=1', "'\t=1"],
    ['a formula after a line break', '\r=1', "'\r=1"],
    ['a formula in a list', ['=1', 'b'], "'=1; b"],
    ['not a formula', 'a=1', 'a=1'],
    ['NUL and a lone surrogate', 'a\0b\ud800', 'a\ufffdb\ufffd'],
  ])('%s', (_, value, cell) => {
    const sent = typeof value === 'string' && value.startsWith('{') ? value : { a: value }
    expect(cellsOf([sent])).toEqual([cell])
  })

  test('of a number control is not escaped if it is a number', () => {
    const controls = [control('a', 'number')]
    expect(cellsOf([{ a: '-5' }], { controls })).toEqual(['-5'])
    expect(cellsOf([{ a: '-5+cmd' }], { controls })).toEqual(["'-5+cmd"])
  })

  test('of a column that every response has is escaped too', () => {
    const about = { name: '=1', respondent: '+x@example.com', path: '@a/b.html' }
    const [, line] = readStrictly(csvOf([{}], { about }))
    expect(line?.slice(0, 3)).toEqual(['resp_0', "'+x@example.com", "'=1"])
    expect(line?.[6]).toBe("'@a/b.html")
  })
})

describe('a header', () => {
  test.each<[string, string, string[]]>([
    [
      'with the name of another column gets a prefix',
      '{"path":1,"item":2}',
      ['values.path', 'item'],
    ],
    ['with a prefix is unique', '{"path":1,"values.path":2}', ['values.path', 'values.path (2)']],
    ['is escaped', '{"=a":1,"-b":2}', ["'=a", "'-b"]],
    ['is unique after escaping', '{"=a":1,"\'=a":2}', ["'=a", "'=a (2)"]],
    ['is unique in UTF-8', '{"\\ud800":1,"\\ud801":2}', ['\ufffd', '\ufffd (2)']],
  ])('%s', (_, sent, headers) => {
    expect(headersOf([sent]).slice(COLUMNS.length)).toEqual(headers)
    expect(cellsOf([sent])).toEqual(['1', '2'])
  })
})

describe('a file with a list split into rows', () => {
  const sent = [
    {
      who: 'Ada',
      item: 1,
      items: [{ who: '=Bo', n: -1 }, { n: 2 }, { items: '+3' }],
      tags: ['x', 'y'],
    },
    { who: 'Cy', items: [] },
    { who: 'Di' },
  ]

  test('has a line for each item, and one for a response without any', () => {
    const records = readStrictly(csvOf(sent, { key: 'items' }))
    const header = [...ROW_COLUMNS, 'who', 'values.item', 'tags', 'items.who', 'n', 'items']
    expect(records[0]).toEqual(header)
    expect(records.slice(1).map((record) => [record[0], ...record.slice(4)])).toEqual([
      ['resp_0', '1', 'Ada', '1', 'x; y', "'=Bo", '-1', ''],
      ['resp_0', '2', 'Ada', '1', 'x; y', '', '2', ''],
      ['resp_0', '3', 'Ada', '1', 'x; y', '', '', "'+3"],
      ['resp_1', '', 'Cy', '', '', '', '', ''],
      ['resp_2', '', 'Di', '', '', '', '', ''],
    ])
  })

  test('leaves out other lists of objects', () => {
    const file = csvOf([{ a: [{ b: 'included' }], c: [{ d: 'left out' }] }], { key: 'a' })
    expect(file).toContain('included')
    expect(file).not.toContain('left out')
  })
})

/** The CSV files of any submissions: one without a split, and one for each list. */
const anyFile = fc.array(anySubmission, { maxLength: 4 }).map((sent) => {
  const { explodable } = reportOf(sent)
  return [csvOf(sent), ...explodable.map((key) => csvOf(sent, { key }))]
})

describe('for any data', () => {
  test('a strict parser reads lines of equal length and unique headers', () => {
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
  test.skipIf(python.status !== 0)('Python’s parser reads the same', () => {
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
