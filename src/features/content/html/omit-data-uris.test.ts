import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { containsPlaceholder, countUris, findLongDataUris, withoutUris } from './omit-data-uris.ts'

function omitDataUris(html: string) {
  const uris = findLongDataUris(html)
  return { html: withoutUris(html, uris), elided: countUris(uris) }
}

const A = 'A'.repeat(1500)
const PNG = `data:image/png;base64,${A}`
const SVG = `data:image/svg+xml;utf8,<svg xmlns="http://x" fill="a b">${'x y '.repeat(300)}</svg>`
const SVG_ENCODED = `data:image/svg+xml,%3Csvg%20${A}`

// `[` and `]` mark what is left out.
const CASES = [
  `<img src="[${PNG}]">`,
  `<img src='[${PNG}]'>`,
  `<img src=[${PNG}]>`,
  `<img src=[${PNG}] alt=x>`,
  `<img src=" [${PNG}] ">`,
  `<img src="[data:image/png;base64,${A}\n${A}==]">`,
  `<img src="[DATA:Image/PNG;base64,${A}]"><img src="[data:;base64,${A}]"><img src="[data:,${A}]">`,
  `<img src="[data:image/png;base64,${A}&#x3D;&#x3D;]">`,
  `<img src='[${SVG}]'><p title='kept'>`,
  `<a href="[data:text/html,<p class='x'>it's ${A}</p>]">"`,
  `<img srcset="[${PNG}] 1x, [${PNG}] 2x,b.png 3x">`,
  `<img srcset='[${PNG}], c.png 2x'>`,
  `<source imagesrcset = "a.png 1x,[${PNG}] 2x">`,
  `<img srcset="[${SVG_ENCODED}] 1x">`,
  `<style>a{background:url([${PNG}]);b:url("[${PNG}]");c:url('[${SVG}]')}</style>`,
  `<style>a{background:url([${SVG}])} b{c:url( [${PNG}] )}</style>`,
  `<style>a{c:url("[data:image/svg+xml,<svg xmlns=\\"http://x\\">${A}</svg>]")}</style>`,
  `<p style="background:url(&quot;[${PNG}]&quot;);color:red">`,
  `<p style="background:url(&#39;[${SVG_ENCODED}]&#39;) &quot;x&quot;">`,
  `<p style="background:url([${PNG}])">(a)</p>`,
  `<script>const a="[${PNG}]",b='[${PNG}]',c=\`[${PNG}]\`</script>`,
  `<script>const a='[data:image/svg+xml,<svg xmlns=\\'http://x\\'>${A}</svg>]'</script>`,
  `<script>const a="<img src=\\"[${PNG}]\\">"</script>`,
  `<script>const a="<img src=\\"[${SVG_ENCODED}]\\">"</script>`,
  `<script>const a={"x":"[data:image\\/png;base64,${A}\\/${A}]"}</script>`,
  `<script>x</script><img alt="\\" src="[${PNG}]">`,
  `<img src="[data:text/plain,${A}\\]" alt="kept">`,
  `[${PNG}]`,
  `<p>[${PNG}]</p>`,
  `<img src="[data:image/png;base64,${A}]<b>`,
  `<img src="[data:text/plain,${A}]<b>`,
]

const KEPT = [
  `<img src="data:image/png;base64,${'A'.repeat(977)}">`,
  `<script>x={data:[1,${'1,'.repeat(900)}]}</script>`,
  `<script>x={a:1,data:t/2,foo:${A}}</script>`,
  `<script>x={a:1, data:t,foo:${A}}</script>`,
  `<p>metadata:image/png,${A}</p>`,
  `<script>x.data:image/png,${A}</script>`,
  `<script>"data:image/png;base64,"+"${A}"</script>`,
  `<script>s.startsWith("data:")&&"${A}"</script>`,
  `<script>/^data:image\\/png,${A}/</script>`,
  `<img data-src="${A}" alt="data:${A}">`,
  `<p>some data: image,${A}</p>`,
]

describe('data: URIs of 1,000 characters and more', () => {
  test.each(CASES)('are left out completely: %#', (marked) => {
    const gone = [...marked.matchAll(/\[(data:[^\]]*)\]/gi)].map((match) => match[1]!)
    const expected = marked.replace(
      /\[(data:[^\]]*)\]/gi,
      (_, uri: string) => `ELIDED-BY-SERVICE-${uri.length}-CHARS`,
    )
    const { html, elided } = omitDataUris(marked.replace(/\[(data:[^\]]*)\]/gi, '$1'))
    expect(html).toBe(expected)
    expect(elided).toEqual({ count: gone.length, chars: gone.join('').length })
    expect(containsPlaceholder(html)).toBe(true)
  })

  test.each(KEPT)('and nothing else: %#', (html) => {
    expect(omitDataUris(html)).toEqual({ html, elided: { count: 0, chars: 0 } })
    expect(containsPlaceholder(html)).toBe(false)
  })

  test('start at exactly 1,000', () => {
    const uri = `data:,${'x'.repeat(994)}`
    expect(omitDataUris(`"${uri}"`).html).toBe('"ELIDED-BY-SERVICE-1000-CHARS"')
    expect(omitDataUris(`"${uri.slice(1)}"`).elided.count).toBe(0)
    expect(omitDataUris(`"${uri.slice(0, -1)}"`).elided.count).toBe(0)
  })

  test('are counted in any mixture, and the rest stays the same', () => {
    const piece = fc.constantFrom(
      `"`,
      `'`,
      '(',
      ')',
      ' ',
      '<script>',
      '</script>',
      '\\',
      '&quot;',
      ',',
      '=',
      'srcset=',
      '<',
      '>',
      PNG,
      SVG_ENCODED,
      'data:',
      'data:text/plain,',
      'é',
      A,
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const input = pieces.join('')
        const { html, elided } = omitDataUris(input)
        const marks = [...html.matchAll(/ELIDED-BY-SERVICE-(\d+)-CHARS/g)]
        expect(marks).toHaveLength(elided.count)
        expect(marks.reduce((sum, mark) => sum + Number(mark[1]), 0)).toBe(elided.chars)
        let at = 0
        for (const original of html.split(/ELIDED-BY-SERVICE-\d+-CHARS/)) {
          at = input.indexOf(original, at)
          expect(at).toBeGreaterThanOrEqual(0)
          at += original.length
        }
      }),
      { numRuns: 3000 },
    )
  })
})

test('a placeholder is not confused with text about placeholders', () => {
  expect(containsPlaceholder('x ELIDED-BY-SERVICE-5000-CHARS y')).toBe(true)
  expect(containsPlaceholder('ELIDED-BY-SERVICE-<n>-CHARS and ELIDED-BY-SERVICE--CHARS')).toBe(
    false,
  )
})
