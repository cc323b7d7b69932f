import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { attacks } from './attacks.ts'
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
        attributes.map((a) => [a.name, text(a.value_start, a.value_end)] as [string, string]),
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

// One SVG at most, at the start: of one in another lol-html has an idea of its own.
const STARTS = ['', '', '<svg>', '<math>', '<p><svg>', '<svg><!--x-->']
const PIECES = `<a |<p|<b |</svg>|</math>|<title>|</title>|<style>|</style >|<script>|
</script|</script>|<textarea>|</textarea>|<!--|-->|--!>|<!-->|<!|<?|</|</>|</a>|>|/>|/|=|"|'| |
\t|x|é|href|x='1'|y="2"|z=3|<|-|!|<![CDATA[|]]>|<!doctype html>|<div>|
</div>|<SCRIPT x>|<noscript>|</noscript>|<xmp>|</xmp>|&amp;|<template>`
  .split('|')
  .map((piece) => piece.replace('\n', ''))

const documents = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 })

describe('tags and comments', () => {
  test('are those that another implementation of the standard finds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STARTS), documents, (start, pieces) => {
        const html = `${start}${pieces.join('')}-->`
        expect(ours(html)).toEqual(theirs(html))
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('five megabytes that were made to be slow', () => {
  for (const [name, bytes] of attacks(5_000_000)) {
    test(name, () => {
      const started = performance.now()
      readTokens(bytes, { startTag() {} })
      expect(performance.now() - started).toBeLessThan(4000)
    })
  }
})
