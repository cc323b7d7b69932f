import { afterAll, expect, test } from 'bun:test'
import { after, fromField, toField } from './dates.ts'

const ownZone = process.env.TZ ?? 'UTC'
afterAll(() => {
  process.env.TZ = ownZone
})

const TIMES: [zone: string, iso: string, field: string][] = [
  ['UTC', '2026-11-21T10:00:00.000Z', '2026-11-21T10:00'],
  ['Europe/Berlin', '2026-07-21T22:30:00.000Z', '2026-07-22T00:30'],
  ['America/Los_Angeles', '2026-01-01T02:05:00.000Z', '2025-12-31T18:05'],
  ['Asia/Kathmandu', '2026-11-21T18:15:00.000Z', '2026-11-22T00:00'],
  ['Pacific/Kiritimati', '2026-11-21T10:00:00.000Z', '2026-11-22T00:00'],
]

test.each(TIMES)('%s shows %s as %s, and reads it back', (zone, iso, field) => {
  process.env.TZ = zone
  expect(toField(iso)).toBe(field)
  expect(fromField(field)).toBe(iso)
})

test('a time of the hour that summer time skips moves on by an hour', () => {
  process.env.TZ = 'Europe/Berlin'
  expect(fromField('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z')
})

test('the microseconds of the server are no part of the field', () => {
  process.env.TZ = 'UTC'
  expect(toField('2026-11-21T10:00:59.123456Z')).toBe('2026-11-21T10:00')
})

test.each(['', '2026-11-21', '2026-13-41T10:00', 'soon'])('%j is no time', (text) => {
  expect(fromField(text)).toBeNull()
})

test('no time is an empty field', () => {
  expect(toField(null)).toBe('')
})

const SPANS: [span: '1 day' | '1 week' | '1 month', now: string, then: string][] = [
  ['1 day', '2026-11-21T10:00:30', '2026-11-22T10:00'],
  ['1 week', '2026-12-28T10:00', '2027-01-04T10:00'],
  ['1 month', '2026-11-21T10:00', '2026-12-21T10:00'],
  ['1 month', '2027-01-31T10:00', '2027-02-28T10:00'],
  // A day with a change to summer time has 23 hours, and the time of day stays.
  ['1 day', '2026-03-28T10:00', '2026-03-29T10:00'],
]

test.each(SPANS)('%s after %s', (span, now, then) => {
  process.env.TZ = 'Europe/Berlin'
  expect(toField(after(span, new Date(now)))).toBe(then)
})
