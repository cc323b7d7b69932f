import { describe, expect, test } from 'bun:test'
import { parseRange, queryOf } from './ranges.ts'

const now = Date.parse('2026-11-21T23:30:00Z')

describe('the range of an address', () => {
  test('is the usual one where the address names none, or one that does not exist', () => {
    expect([null, '7d', 'all', '7 days', '__proto__'].map(parseRange)).toEqual([
      '30d',
      '7d',
      'all',
      '30d',
      '30d',
    ])
  })
})

describe('what is asked for', () => {
  test('are days of the reader’s time zone, today included', () => {
    expect(queryOf('7d', { now, tz: 'UTC' }).from).toBe('2026-11-15')
    expect(queryOf('7d', { now, tz: 'Europe/Berlin' }).from).toBe('2026-11-16')
  })
  test('are the hour under way and 23 before it', () => {
    expect(queryOf('24h', { now, tz: 'UTC' })).toEqual({
      interval: 'hour',
      tz: 'UTC',
      from: '2026-11-21T00:00:00.000Z',
    })
  })
  test('has no bounds for all time', () => {
    expect(queryOf('all', { now, tz: 'UTC' })).toEqual({ interval: 'day', tz: 'UTC' })
  })
})
