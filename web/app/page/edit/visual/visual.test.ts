import { expect, test } from 'bun:test'
import { fc } from '../../../../../src/testing/property.ts'
import { applyEdits, changeText, coreOf, fold } from './change.ts'
import { type Run, readPlaces } from './places.ts'
import { editsOf, isOfSource, readReport } from './visual.ts'

/** Documents as people and programs write them, to change every text of each in a test. */

const BODIES = [
  '<h1>Plan for May</h1>\n<p>We open on <b>May 9</b>, at ten o’clock.</p>\n<p>Come &amp; see.</p>',
  '<ul>\n  <li>One thing\n  <li>Another <a href="#x">thing</a> &mdash; last\n</ul><dl>' +
    '<dt>Term<dd>Says it</dl>',
  '<table><caption>Prices</caption><thead><tr><th>What<th>Price</thead>\n<tr><td>' +
    'Tea<td>2&nbsp;€\n<tr><td> Cake <td>3 €</table>',
  '<table>moved out <tr><td>cell</td></tr> also moved</table><p>after</p>',
  '<pre>\n  first line\n    second &lt;tag&gt; line\n\n  last</pre><pre>\n\ntwo breaks</pre>',
  '<p>bare & ampersand, AT&T, &copy 2026, &notit; &#169; &#xA9 &unknown; &amp;amp;</p>',
  '<p>one<p>two <i>three<p>four</i> five</p><b>six<div>seven</b> eight</div>',
  '<svg viewBox="0 0 9 9"><title>t</title><text x="1">In a drawing</text><g><text>Two ' +
    '&amp; two</text></g></svg><p>below</p>',
  '<svg><text><![CDATA[raw & text]]></text></svg><math><mi>x</mi><mo>=</mo><mn>2</mn>' +
    '</math> beside',
  '<template><p>not shown</p></template><p>shown</p><noscript>without</noscript>' +
    '<textarea>field</textarea>',
  '<script>document.write("<p>made</p>")</script><style>p::after{content:"x"}</style>' +
    '<p>kept   wide\t space</p>',
  '<p>a<!-- note -->b<!----> c</p><p><!-- only --></p><p>x<br>y<br/>z<wbr>long</p>',
  '<details open><summary>More &hellip;</summary>Hidden <em>words</em> here</details>' +
    '<button>Press me</button>',
  '<blockquote cite=x>“Quoted, ‘twice’”</blockquote><p dir=rtl>שלום עולם</p><p>日本語 ' +
    'テキスト 😀 👩‍👩‍👧 é</p>',
  '<select><option>Pick</option></select><label>Name <input value="v"></label><figure>' +
    '<img src="a.png" alt="A"><figcaption>A figure</figcaption></figure>',
  'text without any element &amp; <b>bold</b> end',
  '<div><div><div>deep <span>er <code>x &lt; y</code></span> text</div></div></div><P ' +
    'CLASS=Big>UPPER Case</P>',
  '<p\n  class="a"\n  data-x="1 > 0">broken tag line</p><custom-element>own <slot>' +
    'slot</slot></custom-element>',
  '<p>unclosed <b>bold <i>both</p><p>still both</i></b> none',
  '<h2>What    changes</h2>\n\n\n<p>\n   Long text that goes\n   over several lines,\n ' +
    '  as   editors\tbreak it.\n</p>',
]
const FRAMES: ((body: string) => string)[] = [
  (body) =>
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">` +
    `\n<title>T &amp; t</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`,
  (body) => body.replaceAll('\n', '\r\n'),
  (body) =>
    `\ufeff<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">` +
    `<HTML><BODY bgcolor=white><CENTER>${body}</CENTER>\r\nMixed\nends\r</BODY></HTML>trailing`,
]

/** 60 documents: with one kind of line end, with the other, and with both. */
const DOCUMENTS = FRAMES.flatMap((frame) => BODIES.map(frame))

/** As it arrives from a program that writes windows-1252, once it was decoded. */
const DECODED = new TextDecoder('windows-1252').decode(
  Uint8Array.from(
    Buffer.from('<p>Caf\xe9 \x93quoted\x94 \x96 5 \x80, na\xefve &eacute;t&eacute;</p>', 'latin1'),
  ),
)

/** All texts of a document that can be changed, by their places. */
function runsOf(html: string): Map<string, Run> {
  const results = [...readPlaces(html).elements].flatMap(([number, elements]) =>
    elements.flatMap(({ runs }, nth) =>
      runs.flatMap((run, at) => (run === null ? [] : [[`${number} ${nth} ${at}`, run] as const])),
    ),
  )
  return new Map(results.filter(([, { text }]) => coreOf(text) !== ''))
}

const firstRun = (html: string) => [...runsOf(html).values()][0]!

/** Changes a text, and expects that all other texts and all other bytes stay. */
function change(html: string, place: string, typed: (before: string) => string): void {
  const runs = runsOf(html)
  const run = runs.get(place)!
  const core = coreOf(run.text)
  for (const before of new Set([core, fold(core)])) {
    const read = (text: string) => (before === core ? coreOf(text) : fold(coreOf(text)))
    const after = read(typed(before))
    const next = applyEdits(html, changeText(html, run, { before, after })!)
    expect(next.slice(0, run.start)).toBe(html.slice(0, run.start))
    expect(next.slice(next.length - (html.length - run.end))).toBe(html.slice(run.end))
    const now = runsOf(next)
    expect(read(now.get(place)?.text ?? '')).toBe(after)
    for (const [other, { text }] of runs) {
      if (other !== place) expect(now.get(other)?.text).toBe(text)
    }
  }
}

test('each text of 61 documents is changed where it stands, and nothing else by a byte', () => {
  let count = 0
  for (const html of [...DOCUMENTS, DECODED]) {
    for (const at of runsOf(html).keys()) {
      count += 1
      change(html, at, (before) => `${before} more`)
      change(html, at, (before) => before.replace(/\S+$/, '<b>&amp; T&C &lt</b>'))
      change(html, at, (before) => before.slice(1))
    }
  }
  expect(count).toBeGreaterThan(240)
})

test('whatever is typed into a text is what it says', () => {
  const pieces = fc.constantFrom(
    '&',
    '<',
    'amp;',
    'lt',
    ';',
    '#38',
    'notin',
    ' ',
    'word',
    '😀',
    'é',
  )
  const typed = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((all) => all.join('').trim())
  const html = '<p>A &amp; B &copy C & lt; &notit; 😀 d &#38 e  \n f</p>'
  fc.assert(
    fc.property(typed, fc.nat(20), fc.nat(20), (text, from, length) => {
      change(
        html,
        '1 0 0',
        (before) => `x${before.slice(0, from)}${text}${before.slice(from + length)}y`,
      )
    }),
    { numRuns: 2000 },
  )
})

test('one word that changes is all that changes', () => {
  const cases: [html: string, before: string, after: string, result: string][] = [
    [
      '<p>\n  We open &amp; close\n  on May&nbsp;9 &mdash; at ten.</p>',
      'We open & close on May\u00a09 — at ten.',
      'We open & stay on May\u00a09 — at noon.',
      '<p>\n  We open &amp; stay\n  on May&nbsp;9 &mdash; at noon.</p>',
    ],
    ['<pre>a\r\n  b</pre>', 'a\n  b', 'a\n  b\n  c', '<pre>a\r\n  b\r\n  c</pre>'],
    ['<p>all of it</p>', 'all of it', '', '<p></p>'],
    ['<p>&copy 2025</p>', '© 2025', '© 2026 <x>', '<p>&copy 2026 &lt;x></p>'],
  ]
  for (const [html, before, after, result] of cases) {
    const edits = changeText(html, firstRun(html), { before, after })!
    expect(applyEdits(html, edits)).toBe(result)
  }
})

test('what a script has made, moved or copied is not taken for the source', () => {
  const html = '<p>one <b>two</b> three</p><p>four</p>'
  const place = { number: 1, nth: 0, of: 1, run: 1 }
  expect(isOfSource(html, { place, text: ' three' })).toBe(true)
  expect(isOfSource(html, { place, text: ' changed' })).toBe(false)
  for (const other of [{ of: 2 }, { number: 9 }, { nth: 1 }, { run: 2 }]) {
    expect(isOfSource(html, { place: { ...place, ...other }, text: ' three' })).toBe(false)
  }
  expect(editsOf(html, { place, before: 'changed', after: 'x' })).toBeNull()
})

test('of what the frame sends, only what is well formed is heard', () => {
  const place = { number: 1, nth: 0, of: 1, run: 0 }
  expect(readReport({ ask: { place, text: 'x' }, key: 'undo', isOpen: true })).toEqual({
    ask: { place, text: 'x' },
    key: 'undo',
    isOpen: true,
  })
  const wrong = [
    null,
    'ask',
    { ask: { place: { ...place, number: -1 }, text: 'x' } },
    { change: { place, before: 'x', after: { toString: () => 'y' } } },
    { change: { place, before: 'x', after: 'y'.repeat(100_001) } },
    { stray: ['x'], key: 'publish', isOpen: 1 },
    { stray: { what: 'nothing', text: '' } },
    { image: { place, src: 'x'.repeat(2001) } },
    { image: { place: { ...place, nth: '0' } } },
  ]
  for (const data of wrong) expect(readReport(data)).toEqual({})
})

test('a text that nests deep is read without an overflow', () => {
  const { elements } = readPlaces('<div>x'.repeat(50_000))
  expect(elements.size).toBe(50_000)
})
