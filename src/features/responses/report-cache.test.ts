import { expect, it } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { createForm } from '../../testing/responding.ts'
import { createReportCache } from './report-cache.ts'
import { findCounter } from './store.ts'

it('a digest is made once of the same responses and the same content, and anew of others', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const { ofAll } = createReportCache()
  const form = await createForm(app, owner)
  const { read } = app.database
  const digestOf = async ({ id }: { id: string }, contentKey = 'one') => {
    const subject = { page_id: id, counter: await findCounter(read, id), controls: [] }
    return (await ofAll(read, { ...subject, contentKey })).report
  }
  await form.send('a', { a: 1 })
  const first = await digestOf(form)
  expect(first.total).toBe(1)
  expect(await digestOf(form)).toBe(first)
  const ofOtherContent = await digestOf(form, 'two')
  expect(ofOtherContent).not.toBe(first)
  await form.send('a', { a: 2 })
  const [second, atOnce] = await Promise.all([digestOf(form, 'two'), digestOf(form, 'two')])
  expect(atOnce).toBe(second)
  expect(second).not.toBe(ofOtherContent)

  // Pages that are asked for later take its place in the end.
  for (let at = 0; at < 31; at++) await digestOf({ id: `pg_${at}` })
  expect(await digestOf(form, 'two')).toBe(second)
  for (let at = 0; at < 32; at++) await digestOf({ id: `pg_${at}` })
  expect(await digestOf(form, 'two')).not.toBe(second)
})
