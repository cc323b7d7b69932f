/** Lists in responses: empty, mixed, and split into rows. */
import { expect, test } from 'bun:test'
import { type Page, pro } from '../client.ts'
import { expectBadParam } from '../expect.ts'
import { readCsv } from './csv.ts'
import { FORM, type Report, report, viewer } from './viewer.ts'

async function pageWith(answers: unknown[]): Promise<Page> {
  const page = await pro.publish({ html: FORM })
  for (const data of answers) await viewer().respond(page, data)
  return page
}

test('explode of a list that is still empty answers no rows', async () => {
  const page = await pageWith([{ items: [] }, { items: [], a: 1 }])
  const result = await report(pro, page, '?explode=items')
  expect([result.explode, result.rows, result.row_total]).toEqual([null, [], 0])
  const unknown = await pro.call('GET', `/pages/${page.id}/responses?explode=other`)
  expectBadParam(unknown, 'explode')
})

test('a list that is empty since a time keeps the type that it has on the page', async () => {
  const page = await pro.publish({ html: FORM })
  const first = await viewer().respond(page, { items: [{ n: 1 }], tags: ['x'] })
  await viewer().respond(page, { items: [], tags: [] })
  const since = encodeURIComponent(first.submitted_at)
  const newer = await report(pro, page, `?since=${since}`)
  expect(newer.fields.map(({ key, type }) => [key, type])).toEqual([
    ['items', 'rows'],
    ['tags', 'multi'],
  ])
  const split = await report(pro, page, `?since=${since}&explode=items`)
  expect([split.explode, split.row_total]).toEqual(['items', 0])
  expect(split.rows).toEqual([])
})

test('a field keeps its type when all viewers have replaced their lists by empty ones', async () => {
  const page = await pro.publish({ html: FORM })
  const [ann, bo] = [viewer(), viewer()]
  await ann.respond(page, { items: [{ n: 1 }], tags: ['x'], deep: { items: [{ n: 1 }] } })
  await bo.respond(page, { items: [], tags: [null] })
  const empty = { items: [], tags: [], deep: { items: [] }, never: [] }
  for (const who of [ann, bo]) await who.respond(page, empty)
  const types = [
    ['items', 'rows'],
    ['tags', 'multi'],
    ['deep.items', 'rows'],
    ['never', 'text'],
  ]
  const result = await report(pro, page)
  expect(result.fields.map(({ key, type }) => [key, type])).toEqual(types)
  expect(result.summaries.map(({ answered }) => answered)).toEqual([0, 0, 0, 0])
  expect([result.explodable, result.explode, result.row_total]).toEqual([['items'], 'items', 0])
  await ann.respond(page, { ...empty, items: ['a'] })
  const changed = await report(pro, page)
  expect(changed.fields[0]).toMatchObject({ key: 'items', type: 'multi' })
  for (const { id } of changed.responses) {
    await pro.call('DELETE', `/pages/${page.id}/responses/${id}`)
  }
  await viewer().respond(page, empty)
  const anew = await report(pro, page)
  expect(new Set(anew.fields.map(({ type }) => type)), 'of deleted responses').toEqual(
    new Set(['text']),
  )
})

test('what is empty in a list is counted', async () => {
  const page = await pageWith([{ list: [null] }, { list: ['', 'a'] }])
  const result = await report(pro, page)
  expect(result.summaries[0]).toMatchObject({ type: 'multi', answered: 2 })
  expect(result.summaries[0]!.counts).toEqual([
    { value: null, count: 1 },
    { value: '', count: 1 },
    { value: 'a', count: 1 },
  ])
  expect(result.summary_text).toEqual(['list: null 1, (empty) 1, a 1'])
})

test('a list that mixes objects and others is multi, and counts its objects as JSON text', async () => {
  const page = await pageWith([{ list: [{ a: 1 }, 'x'] }, { list: ['x', [2, 3]] }])
  const result = await report(pro, page)
  expect(result.summaries[0]).toMatchObject({
    type: 'multi',
    answered: 2,
    counts: [
      { value: 'x', count: 2 },
      { value: '{"a":1}', count: 1 },
      { value: '[2,3]', count: 1 },
    ],
  })
  expect(result.explodable).toEqual([])
})

test('a response without items has no row, and one line of CSV, which has every response', async () => {
  const page = await pageWith([
    { who: 'Ann', items: [{ n: 1 }, null, { n: 2 }, {}] },
    { who: 'Bo', items: [] },
    { who: 'Cy' },
  ])
  const result = await report(pro, page)
  const rows = result.rows.map(({ item, values }) => [values.who, item, values.n])
  expect(rows).toEqual([
    ['Ann', 1, 1],
    ['Ann', 3, 2],
  ])
  expect([result.total, result.row_total, result.next_offset]).toEqual([3, 2, null])
  expect(result.row_summaries).toMatchObject([{ key: 'n', answered: 2 }])
  const csv = readCsv((await pro.call('GET', `/pages/${page.id}/responses?format=csv`)).bytes)
  expect(csv.rows.map((line) => line.slice(4))).toEqual([
    ['', 'Cy', ''],
    ['', 'Bo', ''],
    ['1', 'Ann', '1'],
    ['3', 'Ann', '2'],
  ])
  const seen: unknown[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Report = await report(pro, page, `?limit=1&offset=${offset}`)
    seen.push(...part.rows)
    offset = part.next_offset
  }
  expect(seen).toEqual(result.rows)
})
