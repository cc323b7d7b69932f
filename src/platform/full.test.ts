import { expect, test } from 'bun:test'
import { isStorageFull } from './full.ts'

const failed = (told: object) => Object.assign(new Error('failed'), told)

test('a full disk is told from other failures, whoever met it', () => {
  for (const told of [{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { code: 'SQLITE_FULL', errno: 13 }]) {
    expect(isStorageFull(failed(told))).toBe(true)
  }
  expect(isStorageFull(failed({ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '53100' }))).toBe(true)
  for (const told of [{}, { code: 'EIO' }, { errno: '23505' }, { code: 'SQLITE_BUSY', errno: 5 }]) {
    expect(isStorageFull(failed(told))).toBe(false)
  }
  expect(isStorageFull('ENOSPC')).toBe(false)
})
