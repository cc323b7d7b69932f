import { expect, test } from 'bun:test'
import { html, rawHtml } from './html.ts'

test('every value is escaped, in text and in attributes', () => {
  const nasty = `<script>alert("x")</script>'&\``
  const out = html`<p title="${nasty}">${nasty}</p>`.toString()
  const safe = '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;&#96;'
  expect(out).toBe(`<p title="${safe}">${safe}</p>`)
})

test('markup made here is not escaped twice', () => {
  expect(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}</ul>`.toString()).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  )
  expect(html`${rawHtml('<br>')}`.toString()).toBe('<br>')
})

test('what is absent leaves nothing, and zero is there', () => {
  expect(html`[${null}${undefined}${false}${''}${0}]`.toString()).toBe('[0]')
})

test('an object that merely looks like markup is not taken for it', () => {
  const fake = { toString: () => '<b>' } as unknown as string
  expect(html`${fake}`.toString()).not.toContain('<b>')
})
