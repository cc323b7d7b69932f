import { expect, test } from 'bun:test'
import { free, type Page, pro } from '../client.ts'
import { everyCase, expectBadParam } from '../expect.ts'
import { isoIn } from '../material.ts'
import { server } from '../server.ts'
import { readCsv, readCsvByPython } from './csv.ts'
import { FORM, type Report, report, viewer } from './viewer.ts'

const ORDER = {
  customer: { name: 'Ann', address: { city: 'Graz' } },
  items: [
    { sku: 'A', quantity: 2 },
    { sku: 'B', quantity: 3, customer: { name: 'gift' } },
  ],
  notes: [{ text: 'first' }],
  paid: true,
}

/** Publishes a page and submits these responses, each from a viewer of its own. */
async function pageWith(answers: unknown[], content = FORM): Promise<Page> {
  const page = await pro.publish({ html: content })
  for (const data of answers) await viewer().respond(page, data)
  return page
}

function summaryOf({ summaries }: Report, key: string) {
  return summaries.find((each) => each.key === key)!
}

test('the report has every documented member', async () => {
  const page = await pageWith([{ email: 'a@b.c', age: 7 }])
  const result = await report(pro, page)
  expect(Object.keys(result)).toEqual([
    ...['status', 'total', 'fields', 'summaries', 'summary_text', 'explodable', 'explode'],
    ...['row_fields', 'row_summaries', 'row_summary_text', 'row_total'],
    ...['responses', 'rows', 'next_offset'],
  ])
  expect(result.status).toEqual({
    collecting: true,
    closed_at: null,
    closed: false,
    count: 1,
    bytes: expect.any(Number),
    max_count: 10_000,
    max_bytes: 250 * 1024 * 1024,
  })
  expect(Object.keys(result.responses[0]!)).toEqual([
    ...['id', 'respondent', 'name', 'submitted_at', 'created_at', 'page_version', 'path'],
    ...['submit_count', 'values', 'data'],
  ])
  expect(result.explode).toBeNull()
  expect([result.row_fields, result.rows, result.row_total]).toEqual([[], [], 0])
})

test('a page without responses has an empty report', async () => {
  const page = await free.publish({ html: FORM })
  const result = await report(free, page)
  expect(result.status).toMatchObject({ count: 0, bytes: 0, max_count: 100 })
  expect(result.status.max_bytes).toBe(10 * 1024 * 1024)
  for (const list of ['fields', 'summaries', 'summary_text', 'explodable', 'responses'] as const) {
    expect(result[list]).toEqual([])
  }
  expect([result.total, result.explode, result.next_offset]).toEqual([0, null, null])
  expect((await report(free, page, '?explode=items')).explode).toBeNull()
})

test('fields are in the order sent, with the labels and types of their controls', async () => {
  const page = await pageWith([
    { email: 'a@b.c', age: 7, agrees: true, colour: 'red', days: ['mo'], remarks: '12' },
  ])
  expect((await report(pro, page)).fields).toEqual([
    { key: 'email', label: 'Your address', type: 'text' },
    { key: 'age', label: null, type: 'number' },
    { key: 'agrees', label: null, type: 'boolean' },
    { key: 'colour', label: null, type: 'choice' },
    { key: 'days', label: null, type: 'multi' },
    { key: 'remarks', label: null, type: 'text' },
  ])
})

test('without a control, the values decide the type', async () => {
  const data = { yes: true, n: 4, list: ['a'], rows: [{ a: 1 }], word: 'x', nested: { deep: 1 } }
  const page = await pageWith([data, { yes: false, n: 'text' }])
  const types = (await report(pro, page)).fields.map(({ key, type }) => [key, type])
  expect(types).toEqual([
    ...[
      ['yes', 'boolean'],
      ['n', 'text'],
      ['list', 'multi'],
      ['rows', 'rows'],
    ],
    ...[
      ['word', 'text'],
      ['nested.deep', 'number'],
    ],
  ])
})

test('each type has its own summary', async () => {
  const page = await pageWith([
    { email: 'one', age: 1, agrees: true, colour: 'red', days: ['mo', 'tu'] },
    { email: 'two', age: 4, agrees: false, colour: 'blue', days: ['tu'] },
    { email: '', age: 10, agrees: true, colour: 'blue', days: [] },
  ])
  const result = await report(pro, page)
  expect(summaryOf(result, 'agrees')).toMatchObject({ answered: 3, yes: 2, no: 1 })
  expect(summaryOf(result, 'age')).toMatchObject({ answered: 3, mean: 5, min: 1, max: 10 })
  expect(summaryOf(result, 'colour').counts).toEqual([
    { value: 'blue', count: 2 },
    { value: 'red', count: 1 },
  ])
  expect(summaryOf(result, 'days')).toMatchObject({
    answered: 2,
    counts: [
      { value: 'tu', count: 2 },
      { value: 'mo', count: 1 },
    ],
  })
  const email = summaryOf(result, 'email')
  expect(email.answered).toBe(2)
  expect(email.samples).toEqual(
    result.responses.slice(1).map(({ respondent, data }) => ({ value: data.email, respondent })),
  )
  expect(result.summary_text).toHaveLength(5)
  for (const line of result.summary_text) expect(line).not.toContain('\n')
})

test('equal counts are in the order of their first occurrence', async () => {
  const page = await pageWith(['green', 'red', 'blue'].map((colour) => ({ colour })))
  const { counts } = summaryOf(await report(pro, page), 'colour')
  expect((counts as { value: string }[]).map(({ value }) => value)).toEqual([
    'green',
    'red',
    'blue',
  ])
})

test('text has up to 50 samples', async () => {
  const page = await pageWith(Array.from({ length: 53 }, (_, n) => ({ email: `n${n}` })))
  const { samples } = summaryOf(await report(pro, page), 'email')
  expect(samples as unknown[]).toHaveLength(50)
})

test('long whole numbers keep their digits in summaries', async () => {
  const page = await pageWith(['{"n":9007199254740993}', '{"n":9007199254740995}'])
  const { text } = await pro.call('GET', `/pages/${page.id}/responses`)
  expect(text).toContain('"min":9007199254740993')
  expect(text).toContain('"max":9007199254740995')
})

test('the first list of objects is split into rows', async () => {
  const page = await pageWith([ORDER])
  const result = await report(pro, page)
  expect([result.explodable, result.explode, result.row_total]).toEqual([
    ['items', 'notes'],
    'items',
    2,
  ])
  expect(result.row_fields.map(({ key }) => key)).toEqual([
    ...['customer.name', 'customer.address.city', 'paid'],
    ...['sku', 'quantity', 'items.customer.name'],
  ])
  const [response] = result.responses
  const { id: responseId, respondent, name, submitted_at: submittedAt } = response!
  expect(result.rows).toEqual([
    {
      ...{ response_id: responseId, respondent, name, submitted_at: submittedAt, item: 1 },
      values: {
        ...{ 'customer.name': 'Ann', 'customer.address.city': 'Graz', paid: true },
        ...{ sku: 'A', quantity: 2 },
      },
    },
    {
      ...{ response_id: responseId, respondent, name, submitted_at: submittedAt, item: 2 },
      values: {
        ...{ 'customer.name': 'Ann', 'customer.address.city': 'Graz', paid: true },
        ...{ sku: 'B', quantity: 3, 'items.customer.name': 'gift' },
      },
    },
  ])
  const quantity = result.row_summaries.find(({ key }) => key === 'quantity')!
  expect(quantity).toMatchObject({ answered: 2, mean: 2.5, min: 2, max: 3 })
  expect(summaryOf(result, 'items')).toMatchObject({ type: 'rows', answered: 1, items: 2 })
})

test('explode selects another list, or none', async () => {
  const page = await pageWith([ORDER])
  const notes = await report(pro, page, '?explode=notes')
  expect([notes.explode, notes.row_total]).toEqual(['notes', 1])
  expect(notes.rows[0]!.values).toMatchObject({ text: 'first' })
  const none = await report(pro, page, '?explode=none')
  expect([none.explode, none.rows, none.row_fields]).toEqual([null, [], []])
  const unknown = await pro.call('GET', `/pages/${page.id}/responses?explode=paid`)
  const { code, message } = expectBadParam(unknown, 'explode')
  expect(code).toBe('unknown_explode_key')
  expect(message).toContain('items')
})

test('since selects responses submitted strictly after it, and the summaries cover only those', async () => {
  const page = await pro.publish({ html: FORM })
  const ann = viewer()
  const first = await ann.respond(page, { colour: 'red' })
  const second = await viewer().respond(page, { colour: 'blue' })
  const since = (time: string) => report(pro, page, `?since=${encodeURIComponent(time)}`)
  expect((await since(second.submitted_at)).total).toBe(0)
  const newer = await since(first.submitted_at)
  expect(newer.responses.map(({ id }) => id)).toEqual([second.id])
  expect(summaryOf(newer, 'colour').counts).toEqual([{ value: 'blue', count: 1 }])
  expect(newer.status.count).toBe(2)
  const again = await ann.respond(page, { colour: 'green' })
  expect((await since(second.submitted_at)).responses.map(({ id }) => id)).toEqual([again.id])
  expect((await since('2020-01-01T00:00:00+02:00')).total).toBe(2)
  expect((await since(isoIn(60_000))).total).toBe(0)
})

test('responses are paged by limit and offset, newest first, and a resubmission does not move them', async () => {
  const page = await pro.publish({ html: FORM })
  const people = Array.from({ length: 7 }, () => viewer())
  const ids: string[] = []
  for (const [n, who] of people.entries()) ids.unshift((await who.respond(page, { n })).id)
  const seen: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Report = await report(pro, page, `?limit=3&offset=${offset}`)
    expect(part.total).toBe(7)
    seen.push(...part.responses.map(({ id }) => id))
    offset = part.next_offset
    await people[seen.length % 7]!.respond(page, { n: 'again' })
  }
  expect(seen).toEqual(ids)
})

test('limit and offset apply to rows too', async () => {
  const items = Array.from({ length: 5 }, (_, n) => ({ n }))
  const page = await pageWith([{ items }, { items }])
  const seen: unknown[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Report = await report(pro, page, `?limit=4&offset=${offset}`)
    expect([part.total, part.row_total]).toEqual([2, 10])
    seen.push(...part.rows.map(({ response_id: responseId, item }) => `${responseId} ${item}`))
    offset = part.next_offset
  }
  expect(seen).toHaveLength(10)
  expect(new Set(seen).size).toBe(10)
})

test('invalid queries are refused with the name of the parameter', async () => {
  const page = await pro.publish({ html: FORM })
  await everyCase<[string, string]>(
    [
      ['limit 0', ['limit=0', 'limit']],
      ['limit 1001', ['limit=1001', 'limit']],
      ['a limit that is not a number', ['limit=many', 'limit']],
      ['offset -1', ['offset=-1', 'offset']],
      ['format xml', ['format=xml', 'format']],
      ['since yesterday', ['since=yesterday', 'since']],
      ['since without an offset', ['since=2026-01-01T00:00:00', 'since']],
      ['an unknown parameter', ['sort=asc', 'sort']],
    ],
    async ([query, param]) => {
      expectBadParam(await pro.call('GET', `/pages/${page.id}/responses?${query}`), param)
    },
  )
  expect((await pro.call('GET', `/pages/${page.id}/responses?limit=1000`)).status).toBe(200)
})

test('only the page’s owner reads its responses', async () => {
  const page = await pageWith([{ a: 'private words' }])
  const answers = await Promise.all([
    free.call('GET', `/pages/${page.id}/responses`),
    free.call('GET', `/pages/${page.id}/responses?format=csv`),
    fetch(`${server.url}/api/v1/pages/${page.id}/responses`).then(async (answer) => ({
      status: answer.status,
      text: await answer.text(),
    })),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 401])
  for (const { text } of answers) expect(text).not.toContain('private words')
})

test('CSV is a file with every response, regardless of limit', async () => {
  const page = await pageWith(Array.from({ length: 5 }, (_, n) => ({ colour: `c${n}`, age: n })))
  const answer = await pro.call('GET', `/pages/${page.id}/responses?format=csv&limit=2&offset=3`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?[^"]+\.csv"?/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect([...answer.bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const { header, rows } = readCsv(answer.bytes)
  expect(rows).toHaveLength(5)
  expect(rows.map((row) => row[header.indexOf('colour')])).toEqual(['c4', 'c3', 'c2', 'c1', 'c0'])
  expect(header).toContain('respondent')
  expect(new Set(header).size).toBe(header.length)
})

test('CSV has a line for each item of the split list', async () => {
  const page = await pageWith([ORDER, { paid: false, items: [] }])
  const answer = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
  const { header, rows } = readCsv(answer.bytes)
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
  expect(column('item')).toEqual(['', '1', '2'])
  expect(column('sku')).toEqual(['', 'A', 'B'])
  expect(column('customer.name')).toEqual(['', 'Ann', 'Ann'])
  expect(column('paid')).toEqual(['false', 'true', 'true'])
  const whole = await pro.call('GET', `/pages/${page.id}/responses?format=csv&explode=none`)
  expect(readCsv(whole.bytes).rows).toHaveLength(2)
})

test('CSV has the values as sent, by two independent parsers', async () => {
  const values = [
    ...['plain', 'a,b', 'say "hi"', 'two\nlines', 'two\r\nlines', ' spaces ', '', '😀 Grüße'],
    ...[';', "'", '\\', 'a\tb', '1,5', '007'],
  ]
  const page = await pageWith(values.map((email) => ({ email })))
  const { bytes } = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
  const parsed = [readCsv(bytes), await readCsvByPython(bytes)]
  for (const csv of parsed.filter((each) => each !== null)) {
    const column = csv.header.indexOf('email')
    expect(csv.rows.map((row) => row[column])).toEqual(values.toReversed())
  }
})

test('CSV cells that a spreadsheet would evaluate are escaped, and numbers are not', async () => {
  const hostile = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '=HYPERLINK("http://x")']
  const page = await pageWith(hostile.map((email, n) => ({ email, age: -n - 1, '=key': 'x' })))
  const { bytes } = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
  const { header, rows } = readCsv(bytes)
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
  expect(column('email')).toEqual(hostile.toReversed().map((text) => `'${text}`))
  expect(column('age')).toEqual(['-7', '-6', '-5', '-4', '-3', '-2', '-1'])
  expect(header).toContain("'=key")
})
