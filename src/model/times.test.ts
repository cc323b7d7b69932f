import { expect, test } from 'bun:test'
import { z } from 'zod'
import { parseTimePast, parseTimeToCome, timePast, timeToCome } from './times.ts'

const NOW = Date.parse('2026-11-28T12:30:00.250Z')

test.each([
  ['30m', '2026-11-28T13:00:00.250000Z', '2026-11-28T12:00:00.250000Z'],
  ['12h', '2026-11-29T00:30:00.250000Z', '2026-11-28T00:30:00.250000Z'],
  [' 7d ', '2026-12-05T12:30:00.250000Z', '2026-11-21T12:30:00.250000Z'],
  ['2w', '2026-12-12T12:30:00.250000Z', '2026-11-14T12:30:00.250000Z'],
  ['2027-01-31', '2027-01-31T23:59:59.999999Z', '2027-01-31T00:00:00.000000Z'],
  ['20270131T090000.5Z', '2027-01-31T09:00:00.500000Z', '2027-01-31T09:00:00.500000Z'],
  ['20270131T0900+0200', '2027-01-31T07:00:00.000000Z', '2027-01-31T07:00:00.000000Z'],
  ['2027-01-31T09:00+02:00', '2027-01-31T07:00:00.000000Z', '2027-01-31T07:00:00.000000Z'],
])('%j is %s, or %s in the past', (text, toCome, past) => {
  expect(parseTimeToCome(text, NOW)).toBe(toCome)
  expect(parseTimePast(text, NOW)).toBe(past)
})

test.each([
  ...['', '7', 'd', '7 d', '-7d', '+7d', '1.5h', '7D', '7y', '99999d', '7d2h', 'P7D', 'tomorrow'],
  ...[
    '2027-02-30',
    '2027-13-01',
    '2027-01-31T09:00',
    '31.01.2027',
    '1798704000',
    '9999-12-31T23:00-05:00',
  ],
])('%j is no time', (text) => {
  expect([parseTimeToCome(text, NOW), parseTimePast(text, NOW)]).toEqual([null, null])
})

test('the longest distance is a time, and a number that a date cannot hold is none', () => {
  expect(parseTimeToCome('9999w', NOW)).toStartWith('2218-')
  expect(parseTimeToCome('9999w', Date.parse('9999-01-01T00:00:00Z'))).toBeNull()
})

test('their schemas tell the form, and take what has it', () => {
  for (const schema of [timeToCome, timePast]) {
    const { pattern } = z.toJSONSchema(schema, { io: 'input' })
    for (const text of ['7d', '2027-01-31', '2027-01-31 09:00+01:00', '20270131T090000Z']) {
      expect([text, new RegExp(pattern!).test(text), schema.safeParse(text).success]).toEqual([
        ...[text, true, true],
      ])
    }
    for (const text of ['tomorrow', '7y', '2027-01']) {
      expect([text, new RegExp(pattern!).test(text), schema.safeParse(text).success]).toEqual([
        ...[text, false, false],
      ])
    }
  }
})
