import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readTokens } from './tokens.ts'

interface Seen {
  tags: [name: string, attributes: [string, string][]][]
  comments: number
}

function ours(html: string): Seen {
  const buffer = Buffer.from(html)
  const seen: Seen = { tags: [], comments: 0 }
  readTokens(buffer, {
    startTag({ name, attributes }) {
      const text = (from: number, to: number) => buffer.toString('utf8', from, to)
      seen.tags.push([
        name,
        attributes.map((a) => [a.name, text(a.valueStart, a.valueEnd)] as [string, string]),
      ])
    },
    comment() {
      seen.comments++
    },
  })
  return seen
}

/** lol-html, an independent implementation of the same standard. */
function theirs(html: string): Seen {
  const seen: Seen = { tags: [], comments: 0 }
  new HTMLRewriter()
    .on('*', {
      element({ tagName, attributes }) {
        seen.tags.push([tagName, [...attributes].map(([n, v]) => [n!, v!] as [string, string])])
      },
    })
    .onDocument({
      comments() {
        seen.comments++
      },
    })
    .transform(html)
  return seen
}

const PIECES = `<a |<p|<b |</svg>|</math>|<title>|</title>|<style>|</style >|<script>|
</script|</script>|<textarea>|</textarea>|<!--|-->|--!>|<!-->|<!|<?|</|</>|</a>|>|/>|/|=|"|'| |
\t|x|é|href|x='1'|y="2"|z=3|<|-|!|<![CDATA[|]]>|<!doctype html>|<div>|
</div>|<SCRIPT x>|<noscript>|</noscript>|<xmp>|</xmp>|&amp;|<template>`
  .split('|')
  .map((piece) => piece.replace('\n', ''))

// lol-html differs from the standard on SVG in SVG, and on HTML in an SVG that is not closed.
const IN_SVG = PIECES.filter((piece) => piece !== '<title>')
const documents = fc.oneof(
  fc.tuple(fc.constant(''), fc.array(fc.constantFrom(...PIECES), { maxLength: 14 })),
  fc.tuple(
    fc.constantFrom('<svg>', '<math>', '<p><svg>', '<svg><!--x-->'),
    fc.array(fc.constantFrom(...IN_SVG), { maxLength: 14 }),
  ),
)

describe('tags and comments', () => {
  test('are those that another implementation of the standard finds', () => {
    fc.assert(
      fc.property(documents, ([start, pieces]) => {
        const html = `${start}${pieces.join('')}-->`
        expect(ours(html)).toEqual(theirs(html))
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('foreign content', () => {
  test.each([
    ['<svg><title><p></title><style><p></style></svg><title><p></title>', 'title p style p title'],
    ['<svg><svg><div><style><p>', 'svg svg div style'],
    ['<svg><foreignObject><style><p></style></foreignObject><style><p>', 'style style p'],
    ['<math><mi><style><p></style></mi><style><p>', 'style style p'],
    ['<svg/><style><p>', 'svg style'],
    ['<svg><font color=x><style><p>', 'font style'],
    ['<svg><font><style><p>', 'font style p'],
    ['<svg></p><style><p>', 'svg style'],
  ])('%s', (html, lastTags) => {
    const names = ours(html).tags.map(([name]) => name)
    expect(names.join(' ')).toEndWith(lastTags)
  })
})
