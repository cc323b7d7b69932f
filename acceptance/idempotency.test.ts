import { expect, test } from 'bun:test'
import { dataOf, other, type Page, pro } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html, word } from './material.ts'

const keyed = (key: string) => ({ 'idempotency-key': key })

test('the same Idempotency-Key and body get the first response again', async () => {
  const key = word('key')
  const fields = { html: html('once'), title: word('Once') }
  const first = await pro.create(fields, keyed(key))
  const page = dataOf<Page>(first, 201)
  const second = await pro.create(fields, keyed(key))
  expect(second.status).toBe(201)
  expect(second.json).toEqual(first.json)
  expect((await pro.everyPage()).filter(({ title }) => title === fields.title)).toHaveLength(1)
  await pro.update(page.id, { og_title: 'Changed since' })
  expect((await pro.create(fields, keyed(key))).json).toEqual(first.json)
})

test('the same Idempotency-Key with another body is 409', async () => {
  const key = word('key')
  const title = word('Other body')
  dataOf<Page>(await pro.create({ html: html('one') }, keyed(key)), 201)
  expectRefusal(await pro.create({ html: html('two'), title }, keyed(key)), 409)
  expect((await pro.everyPage()).filter((page) => page.title === title)).toEqual([])
})

test('another Idempotency-Key creates another page', async () => {
  const fields = { html: html('twice') }
  const first = dataOf<Page>(await pro.create(fields, keyed(word('key'))), 201)
  const second = dataOf<Page>(await pro.create(fields, keyed(word('key'))), 201)
  expect(second.id).not.toBe(first.id)
})

test('an Idempotency-Key belongs to its account', async () => {
  const key = word('key')
  const fields = { html: html('shared key') }
  const mine = dataOf<Page>(await pro.create(fields, keyed(key)), 201)
  const theirs = dataOf<Page>(await other.create(fields, keyed(key)), 201)
  expect(theirs.id).not.toBe(mine.id)
})

test('concurrent requests with the same Idempotency-Key create one page', async () => {
  const key = word('key')
  const title = word('At once')
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => pro.create({ html: html('x'), title }, keyed(key))),
  )
  for (const answer of answers) {
    if (answer.status !== 201) expectRefusal(answer, 409)
  }
  const ids = answers
    .filter(({ status }) => status === 201)
    .map((answer) => dataOf<Page>(answer, 201).id)
  expect(new Set(ids).size).toBe(1)
  expect((await pro.everyPage()).filter((page) => page.title === title)).toHaveLength(1)
})

test('a refused create does not use up its Idempotency-Key', async () => {
  const key = word('key')
  expectRefusal(await pro.create({ html: html('x'), max_views: 0 }, keyed(key)), 400)
  const count = (await pro.everyPage()).length
  expectRefusal(await pro.create({ html: html('x'), max_views: 0 }, keyed(key)), 400)
  expect((await pro.everyPage()).length).toBe(count)
})
