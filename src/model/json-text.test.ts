import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonString, JsonText, jsonParts, toJson } from './json-text.ts'

function joined(value: unknown): string {
  return Buffer.concat(jsonParts(value).map((part) => Buffer.from(part))).toString()
}

test('the parts of JSON without text of its own are what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(joined(value)).toBe(JSON.stringify(value))
      expect(toJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

test('what is written already is inserted unchanged, at any depth', () => {
  const text = new JsonText('{"2":1,"1":12345678901234567890}')
  const string = new JsonString(Buffer.from('"\\u00e9 é 🙂"'))
  const value = { a: [text, { b: string, left: undefined }, undefined], c: string, d: {}, e: [] }
  const json = `{"a":[${text.text},{"b":"\\u00e9 é 🙂"},null],"c":"\\u00e9 é 🙂","d":{},"e":[]}`
  expect(joined(value)).toBe(json)
  expect(toJson(value)).toBe(json)
})
