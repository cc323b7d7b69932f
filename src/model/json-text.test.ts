import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasStream, JsonStream, JsonString, JsonText, jsonParts, toJson } from './json-text.ts'

function joined(value: unknown): string {
  const parts = jsonParts(value) as (string | Uint8Array)[]
  return Buffer.concat(parts.map((part) => Buffer.from(part))).toString()
}

test('the parts of JSON without text of its own are what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(joined(value)).toBe(JSON.stringify(value))
      expect(toJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

test('a string that is sent in pieces is a part, and has no text', () => {
  const stream = new JsonStream(4, async function* () {
    yield '"ab"'
  })
  expect(jsonParts({ a: [stream] })).toEqual(['{', '"a":', '[', '', stream, ']', '}'])
  expect([jsonParts({ a: [stream] }), jsonParts({ a: ['ab'] })].map(hasStream)).toEqual([
    true,
    false,
  ])
  expect(() => toJson({ a: stream })).toThrow()
})

test('what is written already is inserted unchanged, at any depth', () => {
  const text = new JsonText('{"2":1,"1":12345678901234567890}')
  const string = new JsonString(Buffer.from('"\\u00e9 é 🙂"'))
  const value = { a: [text, { b: string, left: undefined }, undefined], c: string, d: {}, e: [] }
  const json = `{"a":[${text.text},{"b":"\\u00e9 é 🙂"},null],"c":"\\u00e9 é 🙂","d":{},"e":[]}`
  expect(joined(value)).toBe(json)
  expect(toJson(value)).toBe(json)
})
