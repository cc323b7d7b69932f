import { describe, expect, test } from 'bun:test'
import { anyText, fc, runs } from '../../../testing/property.ts'
import { anySubmission } from '../../../testing/reports.ts'
import {
  displayText,
  isObject,
  type JsonValue,
  keysOf,
  memberOf,
  parseJson,
  parseStoredObject,
  writeJson,
} from './json.ts'

/** Converts to what `JSON.parse` returns: integer keys first, long numbers rounded. */
function asPlatform(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asPlatform)
  if (!isObject(value)) return value
  const plain = {}
  for (const key of keysOf(value)) {
    const member = asPlatform(memberOf(value, key)!)
    Object.defineProperty(plain, key, { value: member, enumerable: true })
  }
  return plain
}

const WRITTEN: [string, string][] = [
  ['{"2":"b","1":"a"}', 'keys that are numbers keep their place'],
  ['{"b":{"10":1,"9":2}}', 'also in nested objects'],
  ['{"a":[{"7":1,"6":2}]}', 'also in lists'],
  ['{"__proto__":{"is_admin":true},"constructor":1,"":2,"a.b":3}', 'every name is allowed'],
  ['{"a":12345678901234567890,"b":-9007199254740993}', 'long whole numbers keep their digits'],
  ['{"a":9007199254740991,"b":0.5,"c":1e+22}', 'other numbers are numbers'],
  ['{"a":"\\ud800","b":"\\u0000"}', 'NUL and lone surrogates stay escaped'],
]

test.each(WRITTEN)('%s is written as it was read: %s', (text) => {
  expect(writeJson(parseStoredObject(text))).toBe(text)
  expect(writeJson(parseJson(text))).toBe(text)
})

test('names are unescaped, and the last of equal names wins', () => {
  expect(writeJson(parseStoredObject('{"b":1,"\\u0032":2}'))).toBe('{"b":1,"2":2}')
  expect(writeJson(parseStoredObject('{"2":1,"b":2,"2":3}'))).toBe('{"2":3,"b":2}')
})

test('no name accesses inherited members', () => {
  const object = parseStoredObject('{"__proto__":{"polluted":1}}')
  expect(memberOf(object, 'polluted')).toBeUndefined()
  expect(memberOf(parseStoredObject('{"a":1}'), 'toString')).toBeUndefined()
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

describe('for any data', () => {
  test('parseJson agrees with JSON.parse', () => {
    const property = fc.property(anySubmission, (text) => {
      expect(JSON.stringify(asPlatform(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)))
    })
    fc.assert(property, runs(2000))
  })

  test('parseStoredObject agrees with parseJson, also in the order of keys', () => {
    const property = fc.property(anySubmission, (text) => {
      const written = writeJson(parseJson(text))
      expect(writeJson(parseStoredObject(text))).toBe(written)
      expect(writeJson(parseJson(written))).toBe(written)
    })
    fc.assert(property, runs(2000))
  })

  test('parseJson refuses what JSON.parse refuses', () => {
    const cut = fc.tuple(
      anySubmission,
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '}', '-', '0', '\n'),
    )
    const property = fc.property(fc.oneof(cut, fc.tuple(anyText, fc.nat(), anyText)), (parts) => {
      const [text, at, put] = parts
      const broken = text.slice(0, at % (text.length + 1)) + put + text.slice(at % text.length)
      expect(isJson(() => parseJson(broken))).toBe(isJson(() => JSON.parse(broken)))
    })
    fc.assert(property, runs(3000))
  })
})

function isJson(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return false
  }
}

test.each<[string, string]>([
  ['"plain"', 'plain'],
  ['1.50', '1.5'],
  ['12345678901234567890', '12345678901234567890'],
  ['true', 'true'],
  ['null', ''],
  ['["a","b",3,true]', 'a; b; 3; true'],
  ['["a;b","c"]', '["a;b","c"]'],
  ['["a",null]', '["a",null]'],
  ['[["a"]]', '[["a"]]'],
  ['[{"2":1,"1":2}]', '[{"2":1,"1":2}]'],
])('%s is displayed as %s', (json, text) => {
  expect(displayText(parseJson(json))).toBe(text)
})
