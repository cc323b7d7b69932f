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

test('the same Idempotency-Key posts one comment of the owner, and another body is 409', async () => {
  const page = await pro.publish({ html: html('talk'), allow_comments: true })
  const path = `/pages/${page.id}/comments`
  const post = (body: object, key: string) => pro.call('POST', path, body, keyed(key))
  const key = word('key')
  const question = dataOf<{ id: string }>(await post({ body: 'Why?' }, word('key')), 201)
  const reply = { body: 'Because.', parent_id: question.id }
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(reply, key)))
  const ids = answers.map((answer) => dataOf<{ id: string }>(answer, 201).id)
  expect(new Set(ids).size).toBe(1)
  expectRefusal(await post({ ...reply, body: 'For another reason.' }, key), 409)
  expectRefusal(await post({ body: 'Because.' }, key), 409)
  await pro.call('PATCH', `${path}/${ids[0]}`, { body: 'Because of May.' })
  expect(dataOf<{ body: string }>(await post(reply, key), 201).body).toBe('Because of May.')
  const [thread] = dataOf<{ replies: { body: string }[] }[]>(await pro.call('GET', path))
  expect(thread!.replies.map(({ body }) => body)).toEqual(['Because of May.'])
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
