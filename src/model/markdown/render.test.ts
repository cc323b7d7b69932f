import { describe, expect, test } from 'bun:test'
import { renderMarkdown } from './render.ts'

const pageOf = (text: string, path?: string) => renderMarkdown({ text, ...(path && { path }) })

test('Markdown becomes a whole document, readable on a phone', async () => {
  const page = await pageOf('# The *plan*\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n<b>kept</b>')
  expect(page).toStartWith('<!doctype html>')
  expect(page).toContain('<meta name="viewport"')
  expect(page).toContain('<title>The plan</title>')
  expect(page).toContain('<td align="right">2</td>')
  expect(page).toContain('<h1 id="the-plan">')
  expect(page).toContain('<b>kept</b>')
  expect(page).not.toContain('<script')
})

test('the title is that of the settings above the text, the first heading, or the name', async () => {
  expect(await pageOf('---\ntitle: "A <b>"\nx: 1\n---\ntext')).toContain(
    '<title>A &lt;b&gt;</title>',
  )
  expect(await pageOf('---\ntitle: "A"\n---\ntext')).not.toContain('title: ')
  expect(await pageOf('text', 'a/notes.md')).toContain('<title>notes</title>')
  expect(await pageOf('text\n\n---\n\nmore')).toContain('<hr>')
})

describe('what GitHub adds', () => {
  test('alerts, footnotes, lists of tasks, strikethrough and bare addresses', async () => {
    const page = await pageOf(
      [
        '> [!WARNING]\n> Mind the gap.',
        'A claim.[^1] ~~Old.~~ https://example.com/a',
        '- [x] done\n- [ ] open',
        '[^1]: Its source.',
      ].join('\n\n'),
    )
    expect(page).toContain('class="markdown-alert markdown-alert-warning"')
    expect(page).not.toContain('[!WARNING]')
    expect(page).toContain('href="#footnote-1"')
    expect(page).toContain('Its source.')
    expect(page).toContain('<del>Old.</del>')
    expect(page).toContain('<a href="https://example.com/a">')
    expect(page).toContain('type="checkbox" disabled checked aria-label="Done"')
    expect(page).toContain('type="checkbox" disabled aria-label="Not done"')
  })

  test('code of a known language is marked, and all other code stays as it is', async () => {
    const page = await pageOf('```js\nconst a = "<b>"\n```\n\n```nope\n<i>\n```\n\n    <u>\n')
    expect(page).toContain('<span class="hljs-keyword">const</span>')
    expect(page).toContain('<span class="hljs-string">&quot;&lt;b&gt;&quot;</span>')
    expect(page).toContain('<code>&lt;i&gt;\n</code>')
    expect(page).toContain('<code>&lt;u&gt;\n</code>')
  })

  test('formulas become MathML, and prices stay prices', async () => {
    const page = await pageOf(
      'From $5 to $10, $x^2$ and $`y`$ cost.\n\n$$\na\n- b\n$$\n\n```math\nz\n```\n\n`$c$` $d',
    )
    expect(page.match(/<math/g)).toHaveLength(4)
    expect(page).toContain('From $5 to $10, <math')
    expect(page.match(/display="block"/g)).toHaveLength(2)
    expect(page).toContain('<code>$c$</code> $d')
    expect(page).not.toContain('<script')
    expect(await pageOf('$\\frac{$')).toContain('<code>\\frac{</code>')
  })

  test('a diagram brings its script from this server, and no other page has it', async () => {
    const page = await pageOf('```mermaid\ngraph TD; A-->B\n```')
    expect(page).toContain('<pre class="mermaid">graph TD; A--&gt;B</pre>')
    expect(page).toContain('<script src="/~/mermaid.js"></script>')
    expect(page).not.toMatch(/https?:\/\//)
  })
})

test('links to files of Markdown in the deck lead to their pages', async () => {
  const pages = new Map([
    ['a/one.md', 'a/one.html'],
    ['README.md', 'index.html'],
  ])
  const text =
    '[1](one.md#x) [2](../README.md) [3](none.md) [4](https://example.com/one.md) [5](#x)'
  const page = await renderMarkdown({ text, path: 'a/two.md', pages })
  const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual([
    'one.html#x',
    '../index.html',
    'none.md',
    'https://example.com/one.md',
    '#x',
  ])
})

test('text that is made to be slow, or nested too deep, is given up', async () => {
  for (const [part, times] of [
    ['[', 10_000],
    ['[^1]', 10_000],
    ['> ', 10_000],
  ] as const) {
    const rendered = renderMarkdown({ text: part.repeat(times), maxMs: 20 })
    await expect(rendered).rejects.toBeInstanceOf(RangeError)
  }
})

test('empty lines take no time', async () => {
  const lines = '\n'.repeat(200_000)
  expect(await renderMarkdown({ text: `a${lines}b`, maxMs: 2000 })).toContain('b')
})
