/** The setting `fallback`: the file that answers routes on a page's own host. */
import { expect, test } from 'bun:test'
import { type Answer, dataOf, type Page, pro } from './client.ts'
import { expectRefusal } from './expect.ts'
import { base64, word } from './material.ts'

const START = '<!doctype html><meta name="viewport" content="width=device-width"><p>words'
const page = (path: string) => ({ path, html: START })
const deck = (...paths: string[]) => ({ title: word('deck'), files: paths.map(page) })
const warningsOf = ({ json }: Answer) =>
  (json as { warnings: { code: string; message: string }[] }).warnings
const codesOf = (answer: Answer) => warningsOf(answer).map(({ code }) => code)

test('a fallback that names no HTML file of the page is refused, and nothing is written', async () => {
  const script = [{ path: 'a.js', data_base64: base64('x()') }]
  for (const fields of [
    { ...deck('index.html'), fallback: 'app.html' },
    { ...deck('index.html'), assets: script, fallback: 'a.js' },
    { html: START, fallback: 'app.html', title: word('single') },
  ]) {
    const answer = await pro.create(fields)
    const { code, param, message } = expectRefusal(answer, 400)
    expect([code, param]).toEqual(['bad_fallback', 'fallback'])
    expect(message).toContain(fields.fallback)
    const { data } = await pro.list(`?search=${fields.title}`)
    expect(data).toEqual([])
  }
  const routed = await pro.publish({ ...deck('index.html', 'b.html'), fallback: 'b.html' })
  for (const content of [{}, { files: [page('index.html')] }]) {
    expectRefusal(
      await pro.patch(routed.id, { ...content, fallback: 'c.html' }),
      400,
      'bad_fallback',
    )
  }
  expect(await pro.page(routed.id)).toMatchObject({ fallback: 'b.html', file_count: 2 })
  const single = await pro.create({ html: START, title: word('one'), fallback: 'index.html' })
  expect(codesOf(single)).toEqual([])
})

test('a draft without the file of its fallback is warned of at every write, and is published', async () => {
  const created = await pro.create({ ...deck('index.html', 'app.html'), fallback: 'app.html' })
  expect(codesOf(created)).toEqual([])
  const { id } = dataOf<Page>(created, 201)
  const without = await pro.patch(id, { files: [page('index.html')] })
  expect(codesOf(without)).toEqual(['missing_fallback'])
  expect(warningsOf(without)[0]!.message).toContain('"app.html"')
  expect(codesOf(await pro.call('POST', `/pages/${id}/publish`))).toEqual(['missing_fallback'])
  // What is set may be sent again.
  expect((await pro.patch(id, { fallback: 'app.html' })).status).toBe(200)
  expect(codesOf(await pro.patch(id, { files: [page('index.html')], fallback: null }))).toEqual([])
})
