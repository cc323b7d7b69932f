import { describe, expect, test } from 'bun:test'
import type { JsonText } from '../../../model/json-text.ts'
import { fc, runs } from '../../../testing/property.ts'
import { anySubmission, reportOf, storedResponse } from '../../../testing/reports.ts'
import { presentResponse, presentRows } from './index.ts'

describe('for any data', () => {
  test('values have keys of the fields only, and Object.prototype is not changed', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const property = fc.property(fc.array(anySubmission, { maxLength: 6 }), (sent) => {
      const report = reportOf(sent)
      const names = new Set(report.fields.map(({ key }) => key))
      expect(names.size).toBe(report.fields.length)
      const records = sent.map((data) => presentResponse(storedResponse(data), report))
      for (const { values } of records) expect(names.isSupersetOf(keysIn(values))).toBe(true)
      for (const key of report.explodable) {
        const split = report.split(key)
        const rowNames = new Set(split.row_fields.map((field) => field.key))
        expect(rowNames.size).toBe(split.row_fields.length)
        const rows = sent.map((data) => presentRows(storedResponse(data), report, split))
        expect(rows.map((each) => each.length).toReversed()).toEqual(split.rowCounts)
        expect(rows.flat()).toHaveLength(split.row_total)
        for (const { values } of rows.flat()) {
          expect(rowNames.isSupersetOf(keysIn(values))).toBe(true)
        }
      }
    })
    fc.assert(property, runs(1000))
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })
})

function keysIn(values: JsonText): Set<string> {
  return new Set(Object.keys(JSON.parse(values.text)))
}
