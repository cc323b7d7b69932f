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
  const found = await report(pro, page, '?explode=items')
  expect([found.explode, found.rows, found.row_total]).toEqual([null, [], 0])
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
  expect(split.rows.map(({ item }) => item)).toEqual([null])
})

test('a list that mixes objects and others is multi, and counts its objects as JSON text', async () => {
  const page = await pageWith([{ list: [{ a: 1 }, 'x'] }, { list: ['x', [2, 3]] }])
  const found = await report(pro, page)
  expect(found.summaries[0]).toMatchObject({
    type: 'multi',
    answered: 2,
    counts: [
      { value: 'x', count: 2 },
      { value: '{"a":1}', count: 1 },
      { value: '[2,3]', count: 1 },
    ],
  })
  expect(found.explodable).toEqual([])
})

test('a response without items has one row, as it has one line of CSV', async () => {
  const page = await pageWith([
    { who: 'Ann', items: [{ n: 1 }, { n: 2 }] },
    { who: 'Bo', items: [] },
    { who: 'Cy' },
  ])
  const found = await report(pro, page)
  const rows = found.rows.map(({ item, values }) => [values.who, item, values.n])
  expect(rows).toEqual([
    ['Cy', null, undefined],
    ['Bo', null, undefined],
    ['Ann', 1, 1],
    ['Ann', 2, 2],
  ])
  expect([found.row_total, found.next_offset]).toEqual([2, null])
  const csv = readCsv((await pro.call('GET', `/pages/${page.id}/responses?format=csv`)).bytes)
  expect(csv.rows).toHaveLength(found.rows.length)
  const seen: unknown[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Report = await report(pro, page, `?limit=1&offset=${offset}`)
    seen.push(...part.rows)
    offset = part.next_offset
  }
  expect(seen).toEqual(found.rows)
})
