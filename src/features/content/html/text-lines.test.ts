import { expect, test } from 'bun:test'
import { textLines } from './text-lines.ts'

const linesOf = (html: string) => textLines(new TextEncoder().encode(html))

test.each([
  ['<p>one<p>two', ['one', 'two']],
  ['<h1>A &amp; B</h1>\n<p>c  <b>bold</b>\n d</p>', ['A & B', 'c bold d']],
  ['a<br>b<hr>c', ['a', 'b', 'c']],
  ['<ul><li>x<li>y</ul>', ['x', 'y']],
  ['<table><tr><td>1</td><td>2</td></tr></table>', ['1', '2']],
  ['<p>see <img alt="the chart"> here', ['see the chart here']],
  ['<title>T</title><script>let a = "<p>s"</script><style>p{}</style><p>t', ['t']],
  ['<template><p>no</p><template>no</template>no</template><p>yes', ['yes']],
  ['<!-- <p>no --><p>yes', ['yes']],
  ['<svg><text>drawn</text></svg>', ['drawn']],
  ['<p>&lt;p&gt; &amp;amp; é 日本', ['<p> &amp; é 日本']],
  ['', []],
  ['   \n ', []],
])('the text of %j', (html, lines) => {
  expect(linesOf(html)).toEqual(lines)
})

test('an unclosed element hides nothing but what browsers hide', () => {
  expect(linesOf('<head><meta charset=utf-8><p>a<svg><p>b')).toEqual(['a', 'b'])
})
