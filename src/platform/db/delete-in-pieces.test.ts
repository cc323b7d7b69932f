import { expect, test } from 'bun:test'
import { ENGINES, testApp } from '../../testing/app.ts'
import { rowsInto } from './rows.ts'

test.each(ENGINES)('a sweep of many rows is several short transactions, on %s', async (engine) => {
  await using app = await testApp(engine)
  const ended = Array.from({ length: 1001 }, (_, at) => ({ key: `${at}`, ends_ms: 1, count: 1 }))
  const later = { key: 'later', ends_ms: Math.floor(app.clock.ms()) + 60_000, count: 1 }
  await app.database.write((tx) => rowsInto('throttles')(tx, [...ended, later]))
  const { write } = app.database
  let writes = 0
  app.database.write = (...work) => {
    writes += 1
    return write(...work)
  }
  await app.throttles.sweep()
  expect(writes).toBe(3)
  expect((await app.rows('throttles')).map(({ key }) => key)).toEqual(['later'])
})
