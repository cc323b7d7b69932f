import { expect, test } from 'bun:test'
import { isStorageFull } from './outages.ts'

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
