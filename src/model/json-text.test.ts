import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { hasStream, JsonStream, JsonText, joinParts, jsonParts, toJson } from './json-text.ts'

test('the parts of JSON without text of its own are what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

test('a string that is sent in pieces is a part, and has a text only when it is read', async () => {
  const stream = new JsonStream(4, async function* () {
    yield '"ab"'
  })
  expect(jsonParts({ a: [stream] })).toEqual(['{', '"a":', '[', '', stream, ']', '}'])
  expect([jsonParts({ a: [stream] }), jsonParts({ a: ['ab'] })].map(hasStream)).toEqual([
    true,
    false,
  ])
  expect(() => toJson({ a: stream })).toThrow()
  expect(await joinParts(jsonParts({ a: [stream] }))).toBe('{"a":["ab"]}')
})

test('what is written already is inserted unchanged, at any depth', () => {
  const text = new JsonText('{"2":1,"1":12345678901234567890}')
  const string = new JsonText('"\\u00e9 é 🙂"')
  const value = { a: [text, { b: string, left: undefined }, undefined], c: string, d: {}, e: [] }
  const json = `{"a":[${text.text},{"b":"\\u00e9 é 🙂"},null],"c":"\\u00e9 é 🙂","d":{},"e":[]}`
  expect(toJson(value)).toBe(json)
})
