import { describe, expect, test } from 'bun:test'
import { attacks } from '../../../testing/html-attacks.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { referencePatches } from './html-links.ts'

const paths = new Set([
  'index.html',
  'team.html',
  'a b.html',
  'café.html',
  'x:y.html',
  'about/index.html',
  'about/us/deep.html',
  'css/a.css',
  'img/a.png',
  'img/b.png',
  'js/app.js',
  'js/lib/x.mjs',
])
const deck = { paths, entry: 'index.html' }

describe('two hostile megabytes are rewritten in time', () => {
  const size = 2_000_000
  const repeat = (seed: string) => seed.repeat(size / seed.length)
  const html: [string, Buffer][] = attacks(size)
  for (const seed of [
    '<a href="/team.html">',
    '<a href=/ >',
    '<base href="/">',
    '<a style="url(/">',
  ]) {
    html.push([seed, Buffer.from(repeat(seed))])
  }
  for (const seed of [' ', ',', '/img/a.png,', '(', 'a ', '/']) {
    html.push([`srcset of ${seed}`, Buffer.from(`<img srcset="${repeat(seed)}">`)])
    html.push([
      `refresh of ${seed}`,
      Buffer.from(`<meta http-equiv=refresh content="0;${repeat(seed)}">`),
    ])
    html.push([`href of ${seed}`, Buffer.from(`<a href="/${repeat(seed)}">`)])
    html.push([`import map of ${seed}`, Buffer.from(`<script type=importmap>"${repeat(seed)}`)])
  }
  html.push(['import map of quotes', Buffer.from(`<script type=importmap>${repeat('"\\"')}`)])
  const css = [
    'url(',
    'url("',
    '@import ',
    '"',
    '/*',
    '\\',
    'url(/img/a.png)',
    '@import"/',
    'url( ',
  ]
  const all: [string, Buffer, string][] = [
    ...html.map(([name, bytes]) => [name, bytes, 'text/html'] as [string, Buffer, string]),
    ...css.map((seed) => [seed, Buffer.from(repeat(seed)), 'text/css'] as [string, Buffer, string]),
  ]
  test.each(all)('%s', (_name, bytes, mime) => {
    const file = { path: 'about/index.html', mime, bytes }
    expect(processorMs(() => referencePatches(file, deck))).toBeLessThan(5000)
  })
})
