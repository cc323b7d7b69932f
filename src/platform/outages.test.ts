import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { isStorageFull, outageRefusal } from './outages.ts'

const failure = (fields: object) => Object.assign(new Error('failed'), fields)

test('a full disk is recognized in errors of files and of both databases', () => {
  for (const fields of [
    { code: 'ENOSPC' },
    { code: 'EDQUOT' },
    { code: 'SQLITE_FULL', errno: 13 },
  ]) {
    expect(isStorageFull(failure(fields))).toBe(true)
  }
  expect(isStorageFull(failure({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '53100' }))).toBe(true)
  for (const fields of [
    {},
    { code: 'EIO' },
    { errno: '23505' },
    { code: 'SQLITE_BUSY', errno: 5 },
  ]) {
    expect(isStorageFull(failure(fields))).toBe(false)
  }
  expect(isStorageFull('ENOSPC')).toBe(false)
})

test('a process that can open no more files for now asks to try again', () => {
  const refusals = ['EMFILE', 'SQLITE_CANTOPEN', 'ENOENT'].map((code) => {
    const refusal = outageRefusal(failure({ code }))
    return refusal && [refusal.kind, refusal.details?.retry_after_s]
  })
  expect(refusals).toEqual([['unavailable', 5], ['unavailable', 5], null])
})

test('a database without its tables asks to try again on both engines', () => {
  const handle = new Database(':memory:')
  const query = () => handle.query('SELECT 1 FROM pages').get()
  expect(query).toThrow('no such table')
  const missing = failure({ errno: '42P01' })
  const errors = [Error('no such table: pages'), missing, Error('There is no such table: x')]
  expect(errors.map((err) => outageRefusal(err)?.code)).toEqual([
    'database_down',
    'database_down',
    undefined,
  ])
})
