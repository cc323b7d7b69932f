import {
  createReportBuilder,
  type Report,
  type StoredResponse,
} from '../features/responses/report/index.ts'
import { countNames, parseJson, writeJson } from '../features/responses/report/json.ts'
import type { FormControl } from '../model/form.ts'
import { anyText, fc } from './property.ts'

const DAY = '2026-01-02T00:00:00.000000Z'

export function storedResponse(data: string, about: Partial<StoredResponse> = {}): StoredResponse {
  return {
    id: 'resp_1',
    respondent: 'Green Heron',
    name: null,
    submitted_at: DAY,
    created_at: DAY,
    page_version: null,
    path: '',
    submit_count: 1,
    data,
    controls: null,
    ...about,
  }
}

/** Builds the report of these submissions, oldest first. A string is sent as it is. */
export function reportOf(sent: readonly unknown[], controls: readonly FormControl[] = []): Report {
  const builder = createReportBuilder(controls)
  for (const [i, each] of sent.entries()) {
    const data = typeof each === 'string' ? each : JSON.stringify(each)
    builder.add(storedResponse(data, { id: `resp_${i}`, respondent: `r${i}` }))
  }
  return builder.build()
}

export function control(name: string, kind: FormControl['kind'], label?: string): FormControl {
  return { name, kind, label: label ?? null }
}

const space = fc.constantFrom('', '', '', ' ', '\n\t\r')
const name = fc.oneof(
  anyText,
  fc.constantFrom('2', '10', '-1', '01', '4294967294', 'a', 'b', 'a.b', 'a.b (2)', 'a"2'),
)
const word = fc
  .oneof(anyText, fc.constantFrom('{"2":1}', '"2":', '1234567890123456789'))
  .chain((text) =>
    fc.constantFrom(JSON.stringify(text), JSON.stringify(text), `"${escaped(text)}"`),
  )
const number = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '0.0', '1e3', '1E+2', '9007199254740993', '1.7976931348623157e308'),
  fc.constantFrom('0.1234567890123456789', '12345678901234567.5', '-1e-400', '1e22'),
)

/** JSON texts of objects: any names, in any order, twice too, with any spelling and spaces. */
export const anySubmission: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('null', 'true', 'false', '""', '[]', '{}'),
      word,
      number,
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
      fc.array(tie('object'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      tie('object'),
    ),
    object: fc
      .array(fc.tuple(name, tie('value'), space), { maxLength: 5 })
      .map((members) =>
        members.map(
          ([key, value, gap]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${value}${gap}`,
        ),
      )
      .map((members) => `{${members.join(',')}}`),
  }),
).object

export function hasDuplicateName(data: string): boolean {
  return countNames(writeJson(parseJson(data))) < countNames(data)
}

function escaped(text: string): string {
  const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`
  return Array.from({ length: text.length }, (_, i) => unit(text.charCodeAt(i))).join('')
}
