import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../model/errors.ts'
import { bodyReader } from '../../testing/body-reader.ts'
import { parseForm, readForm } from './body.ts'

const baseUrl = 'https://pages.example.com'

function refusalOf(parse: () => unknown): string | null {
  try {
    parse()
    return null
  } catch (err) {
    if (err instanceof Refusal) return `${err.kind} ${err.code}`
    throw err
  }
}

describe('readForm', () => {
  const urlencoded = 'application/x-www-form-urlencoded'
  const post = (body: BodyInit, type = urlencoded, headers: Record<string, string> = {}) =>
    readForm(
      new Request(baseUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': type, ...headers },
      }),
      bodyReader,
    )
  const codeOf = (form: Promise<unknown>) => form.then(String, ({ code }) => code)

  test('decodes a form as browsers encode it', async () => {
    const form = await post('email=ann%2Bx%40example.com&name=Ann+%C3%89&empty=&bare')
    expect(['email', 'name', 'empty', 'bare', 'none'].map(form)).toEqual([
      'ann+x@example.com',
      'Ann É',
      '',
      '',
      '',
    ])
    expect((await post('a=1', `${urlencoded}; charset=UTF-8`))('a')).toBe('1')
    expect((await post('__proto__=1&constructor=2'))('__proto__')).toBe('1')
  })

  test('refuses repeated names and invalid encodings', () => {
    const wrong = ['a=1&a=2', 'a=%', 'a=%zz', 'a=%C3', 'a=%00', '=1', 'a=%ED%A0%80']
    for (const text of wrong) {
      expect(refusalOf(() => parseForm(Buffer.from(text)))).toBe('invalid malformed_form')
    }
    expect(refusalOf(() => parseForm(Uint8Array.of(97, 61, 0xff)))).toBe('invalid malformed_form')
    const many = Array.from({ length: 65 }, (_, i) => `a${i}=1`).join('&')
    expect(refusalOf(() => parseForm(Buffer.from(many)))).toBe('invalid malformed_form')
  })

  test('refuses other content types and bodies over 64 KiB', async () => {
    for (const type of ['', 'text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      expect(await codeOf(post('a=1', type))).toBe('not_a_form')
    }
    expect((await post(`a=${'x'.repeat(65_534)}`))('a')).toHaveLength(65_534)
    expect(await codeOf(post(`a=${'x'.repeat(65_535)}`))).toBe('form_too_large')
    expect(await codeOf(post('a=1', urlencoded, { 'content-length': '10000000' }))).toBe(
      'form_too_large',
    )
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(16_384).fill(97))
      },
    })
    expect(await codeOf(post(endless))).toBe('form_too_large')
    expect(sent).toBeLessThan(10)
  })
})
