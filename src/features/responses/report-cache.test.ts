import { expect, it } from 'bun:test'
import { type TestApp, testApp } from '../../testing/app.ts'
import { createForm } from '../../testing/test-form.ts'
import { createReportCache, type ReportSource } from './report-reader.ts'
import { findCounter } from './store.ts'

const MIB = 1024 * 1024

function reportReader({ database: { read } }: TestApp) {
  const reportOfAll = createReportCache()
  return async (pageId: string, source: Partial<ReportSource> = {}) => {
    const counter = await findCounter(read, pageId)
    return reportOfAll(read, {
      page_id: pageId,
      counter,
      controls: [],
      contentKey: 'one',
      ...source,
    })
  }
}

it('a report is reused while the responses and the content stay the same', async () => {
  await using app = await testApp('sqlite')
  const form = await createForm(app, await app.owner())
  const read = reportReader(app)
  await form.send('a', { a: 1 })
  const first = await read(form.id)
  expect(first.total).toBe(1)
  expect(await read(form.id)).toBe(first)
  const ofOtherContent = await read(form.id, { contentKey: 'two' })
  expect(ofOtherContent).not.toBe(first)
  await form.send('a', { a: 2 })
  expect(await read(form.id, { contentKey: 'two' })).not.toBe(ofOtherContent)
})

it('concurrent readers get one report', async () => {
  await using app = await testApp('sqlite')
  const form = await createForm(app, await app.owner())
  const read = reportReader(app)
  const [first, second] = await Promise.all([read(form.id), read(form.id)])
  expect(second).toBe(first)
})

it('the least recently used of more than 32 reports is dropped, and each that is out of date', async () => {
  await using app = await testApp('sqlite')
  const read = reportReader(app)
  const first = await read('pg_first')
  for (let at = 0; at < 40; at++) await read('pg_changed', { contentKey: `version ${at}` })
  expect(await read('pg_first')).toBe(first)
  for (let at = 0; at < 30; at++) await read(`pg_${at}`)
  expect(await read('pg_first')).toBe(first)
  for (let at = 0; at < 32; at++) await read(`pg_${at}`)
  expect(await read('pg_first')).not.toBe(first)
})

it('a report is answered also where others have taken its place before it was made', async () => {
  await using app = await testApp('sqlite')
  const read = reportReader(app)
  const reports = await Promise.all(Array.from({ length: 40 }, (_, at) => read(`pg_${at}`)))
  expect(reports.map(({ total }) => total)).toEqual(Array(40).fill(0))
})

it('reports of more than 256 MiB of responses together are not cached', async () => {
  await using app = await testApp('sqlite')
  const read = reportReader(app)
  const counter = { count: 1, bytes: 100 * MIB, revision: 1, list_types: '[]' }
  const first = await read('pg_1', { counter })
  const second = await read('pg_2', { counter })
  expect(await read('pg_1', { counter })).toBe(first)
  await read('pg_3', { counter })
  expect(await read('pg_1', { counter })).toBe(first)
  expect(await read('pg_2', { counter })).not.toBe(second)
})
