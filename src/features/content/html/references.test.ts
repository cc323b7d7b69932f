import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { patchBytes } from './bytes.ts'
import { type DeckFile, referencePatches } from './html-links.ts'

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

function rewrittenIn(file: DeckFile, by: typeof deck): string {
  return Buffer.from(patchBytes(file.bytes, referencePatches(file, by))).toString()
}

function rewrite(path: string, text: string, mime = 'text/html; charset=utf-8'): string {
  return rewrittenIn({ path, mime, bytes: Buffer.from(text) }, deck)
}

/** Of pairs: the source, and what it becomes; where that is missing it stays the same. */
function cases(path: string, pairs: string[][], mime?: string) {
  test.each(pairs)('%s', (value, ...becomes) => {
    expect(rewrite(path, value, mime)).toBe(becomes[0] ?? value)
  })
}

describe('what stays the same', () => {
  cases(
    'about/index.html',
    [
      'team.html',
      './team.html',
      '../team.html',
      '#x',
      '',
      '//host/team.html',
      '/\\host/team.html',
      'https://x/team.html',
      '/p/other',
      '/missing.html',
      '/Team.html',
      '/team.html/',
      '/css/',
      '/css',
      '/about%2Findex.html',
      '/%zz/team.html',
      '/te\nam.html',
      'javascript:/team.html',
      'mailto:/team.html',
      `/${'a/'.repeat(5000)}`,
    ].map((reference) => [`<a href="${reference}">`]),
  )

  test('is the same object', () => {
    const bytes = Buffer.from('<a href="/missing.html" class=x>é')
    for (const mime of ['text/html; charset=utf-8', 'text/css', 'text/javascript', 'image/png']) {
      expect(referencePatches({ path: 'index.html', mime, bytes }, deck)).toEqual([])
    }
  })

  cases('about/index.html', [
    ['<p title="/team.html" data="/team.html" content="/team.html">/team.html</p>'],
    ['<!-- <a href="/team.html"> -->'],
    ['<textarea><a href="/team.html"></textarea>'],
    ['<script>"<a href=\'/team.html\'>"</script>'],
    ['<script type="text/template"><a href="/team.html"></script>'],
    ['<a href="/team.html'],
    ['<meta name=refresh content="0;url=/team.html">'],
  ])
})

describe('images whose pixels scripts read', () => {
  const reading = { ...deck, readsPixels: true }
  const rewriteIn = (value: string, by: typeof deck) => {
    const file = { path: 'about/index.html', mime: 'text/html', bytes: Buffer.from(value) }
    return rewrittenIn(file, by)
  }
  test.each<string[]>([
    ['<img src="x.png">', '<img crossorigin=own src="x.png">'],
    ['<img alt=x src=/img/a.png>', '<img alt=x crossorigin=own src=../img/a.png>'],
    ['<img srcset="x.png 1x, y.png 2x">', '<img crossorigin=own srcset="x.png 1x, y.png 2x">'],
    [
      '<template><img src=x.png></template>',
      '<template><img crossorigin=own src=x.png></template>',
    ],
    [
      '<link rel=preload as=image href=x.png>',
      '<link rel=preload as=image crossorigin href=x.png>',
    ],
    ['<img crossorigin src="x.png">'],
    ['<img src="https://cdn.example/x.png" srcset="x.png">'],
    ['<img srcset="//cdn.example/x.png 1x">'],
    ['<img src="data:image/png;base64,AA==">'],
    ['<img src="/missing.png">'],
    ['<img alt=x>'],
    ['<video src="x.mp4">'],
  ])('%s', (input, ...becomes) => {
    expect(rewriteIn(input, reading)).toBe(becomes[0] ?? input)
    expect(rewriteIn(input, deck)).toBe(input.replace('=/img', '=../img'))
  })

  test('are asked for anew where a script of the same file reads them', () => {
    const script = '<script>pen.getImageData(0, 0, 1, 1)</script>'
    expect(rewriteIn(`<img src="x.png">${script}`, deck)).toBe(
      `<img crossorigin=own src="x.png">${script}`,
    )
  })
})

describe('the places of a reference', () => {
  cases('about/index.html', [
    ['<script type=module src="/js/app.js">', '<script type=module src="../js/app.js">'],
    ['<form action=/team.html>', '<form action=../team.html>'],
    ['<button formaction="/team.html">', '<button formaction="../team.html">'],
    ['<video poster="/img/a.png">', '<video poster="../img/a.png">'],
    ['<object data="/img/a.png">', '<object data="../img/a.png">'],
    ['<svg><use xlink:href="/img/a.png#i"/>', '<svg><use data-own-xlink:href="../img/a.png#i"/>'],
    ['<svg><image href="/img/a.png"/></svg>', '<svg><image href="../img/a.png"/></svg>'],
    ['<template><a href="/team.html"></template>', '<template><a href="../team.html"></template>'],
    [
      '<img srcset="/img/a.png 1x, /img/b.png 2x,/missing.png 3x, /img/a.png">',
      '<img srcset="../img/a.png 1x, ../img/b.png 2x,/missing.png 3x, ../img/a.png">',
    ],
    [
      '<link imagesrcset="\n/img/a.png 400w (x,y),\n/img/b.png,, /img/b.png">',
      '<link imagesrcset="\n../img/a.png 400w (x,y),\n../img/b.png,, ../img/b.png">',
    ],
    [
      '<meta http-equiv="Refresh" content="5; url=/team.html">',
      '<meta http-equiv="Refresh" content="5; url=../team.html">',
    ],
    [
      `<meta content="0;URL='/team.html'" http-equiv=refresh>`,
      `<meta content="0;URL='../team.html'" http-equiv=refresh>`,
    ],
    ['<p style="background:url(/img/a.png)">', '<p style="background:url(../img/a.png)">'],
    [
      '<p style="background:url(&quot;/img/a.png&quot;)">',
      '<p style="background:url(&quot;../img/a.png&quot;)">',
    ],
    [`<p style='background:url("/img/a.png")'>`, `<p style='background:url("../img/a.png")'>`],
    [
      '<style>@import "/css/a.css";a{b:url( /img/a.png )}</style>',
      '<style>@import "../css/a.css";a{b:url( ../img/a.png )}</style>',
    ],
    [`<script type=module>import x from '/js/app.js'; import('/js/lib/x.mjs')</script>`],
    [`<p onclick="location = '/team.html'">`],
    [
      '<script type=importmap>{ "imports": {"app": "/js/app.js", "/js/": "/js/", "x\\"": "/no"}}</script>',
      '<script type=importmap>{ "imports": {"app": "../js/app.js", "../js/": "../js/", "x\\"": "/no"}}</script>',
    ],
  ])

  test('of an import map in the root start with a dot', () => {
    const map = '<script type=importmap>{"imports":{"/":"/", "a":"\\/js\\/app.js"}}</script>'
    expect(rewrite('index.html', map)).toBe(
      '<script type=importmap>{"imports":{"./":"./", "a":"./js/app.js"}}</script>',
    )
  })
})

test('bytes around what is rewritten stay the same', () => {
  const fragments = fc.constantFrom(
    ...[
      ['<a\thref="/team.html"\n CLASS=x é=1>', '<a\thref="../team.html"\n CLASS=x é=1>'],
      ['<img src=/img/a.png/>'],
      ['<img src=/img/a.png />', '<img src=../img/a.png />'],
      ['<p  a a=1 style="b:url(/img/a.png)"é>', '<p  a a=1 style="b:url(../img/a.png)"é>'],
      ['<!-- href="/team.html" -->'],
      ['text & é &amp; < > " \r\n \0'],
      ['<style >a{b:url(/img/a.png)}</STYLE >', '<style >a{b:url(../img/a.png)}</STYLE >'],
      ['<a href="/missing.html">'],
      ['</ a></p></div x="/team.html">'],
      ["<svg><a href='/team.html' /></svg>", "<svg><a href='../team.html' /></svg>"],
    ].map(([given, becomes]) => ({ given: given!, becomes: becomes ?? given! })),
  )
  fc.assert(
    fc.property(fc.array(fragments), (list) => {
      const input = list.map((fragment) => fragment.given).join('')
      const becomes = list.map((fragment) => fragment.becomes).join('')
      expect(rewrite('about/index.html', input)).toBe(becomes)
    }),
  )
})
