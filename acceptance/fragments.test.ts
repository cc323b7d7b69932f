/** HTML without doctype, `html`, `head` or `body`: served inside a default document. */
import { expect, test } from 'bun:test'
import { pro, visitor } from './client.ts'
import { everyCase } from './expect.ts'
import { html, sha256, word } from './material.ts'

const START = /^<!doctype html><meta charset="utf-8"><meta name="viewport" content="[^"]+">/

test('a fragment is served inside a default document, and stored as it was sent', async () => {
  const fragment = `<h1>${word('Plan')} &amp; more</h1><p>Grüße</p>`
  const page = await pro.publish({ html: fragment })
  const opened = await visitor.open(page.slug)
  expect(opened.text).toMatch(START)
  expect(opened.text).toMatch(/<title>Plan-\S+ &amp; more<\/title><style>/)
  expect(opened.text.endsWith(`\n${fragment}`)).toBe(true)
  expect(await pro.draft(page.id)).toBe(fragment)
  expect((await pro.version(page.id, 1)).html).toBe(fragment)
  expect(page.sha256).toBe(sha256(fragment))
  expect(page.size_bytes).toBe(Buffer.byteLength(fragment))
  expect(page.title).toBeNull()
})

test('a fragment is the same for browsers and programs, and revalidates', async () => {
  const page = await pro.publish({ html: `<p>${word()}</p>` })
  const browser = { accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'sec-fetch-dest': 'document' }
  const opened = await visitor.open(page.slug)
  expect((await visitor.open(page.slug, browser)).text).toBe(opened.text)
  const etag = opened.headers.get('etag')!
  const again = await visitor.open(page.slug, { 'if-none-match': etag })
  expect(again.status).toBe(304)
})

test('a fragment keeps its own styles and viewport', async () => {
  await everyCase(
    [
      ['a style element', '<style>p{color:red}</style><p>x</p>'],
      ['a style sheet', '<link rel="stylesheet" href="https://example.com/a.css"><p>x</p>'],
      ['a script that is loaded', '<script src="https://example.com/a.js"></script><p>x</p>'],
    ],
    async (fragment) => {
      const { text } = await visitor.open((await pro.publish({ html: fragment })).slug)
      expect(text).toMatch(START)
      expect(text.split('<style>').length).toBe(fragment.split('<style>').length)
    },
  )
  const viewport = '<meta name="viewport" content="width=500"><p>x</p>'
  const { text } = await visitor.open((await pro.publish({ html: viewport })).slug)
  expect(text.split('viewport')).toHaveLength(2)
  const coloured = await pro.publish({ html: '<p style="background:#fff">x</p>' })
  expect((await visitor.open(coloured.slug)).text).not.toContain('color-scheme')
})

test('a document is served as it was sent', async () => {
  await everyCase(
    [
      ['a doctype', '<!doctype html><p>x'],
      ['html', '<html><p>x'],
      ['head', '<!-- first --><head><title>x</title></head><p>x'],
      ['body', '<body><p>x'],
      ['a complete one', html('x')],
    ],
    async (source) => {
      const page = await pro.publish({ html: source })
      expect((await visitor.open(page.slug)).text).toBe(source)
    },
  )
})

test('of a deck the entry is a document, and other fragments are served as they are', async () => {
  const part = `<p>${word('part')}</p>`
  const files = [
    { path: 'index.html', html: '<h1>Cover</h1>' },
    { path: 'part.html', html: part },
  ]
  const page = await pro.publish({ files })
  expect((await visitor.follow(page.slug)).text).toMatch(START)
  expect((await visitor.open(`${page.slug}/part.html`)).text).toBe(part)
})
