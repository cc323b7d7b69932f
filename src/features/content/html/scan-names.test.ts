import { expect, test } from 'bun:test'
import { fc, runs } from '../../../testing/property.ts'
import type { ReferringFile } from './check-reference.ts'
import { createScan, scanHtml } from './scan.ts'
import { readTokens, type TokenSink } from './tokens.ts'

const TAGS = `a abbr address area article aside audio b base blockquote body br button canvas col
  center code dd details dialog div dl dt em embed fieldset figure font footer form frame frameset h1
  head header hr html i iframe image img input label legend li link main map math meta meter mi nav
  noembed noframes noscript object ol optgroup option output p path picture plaintext pre rect s
  script section select slot source span strong style sub svg symbol table tbody td template text
  textarea th title tr track tspan u ul use var video xmp data foreignobject desc x-card href on`
  .trim()
  .split(/\s+/)

const ATTRIBUTES = `accept action alt aria-label async charset class color colspan content data
  data-label data-service data-x defer dir disabled download enctype face for form formaction height
  href http-equiv id imagesrcset integrity is lang media method multiple name onclick ONERROR one
  pattern poster property rel role size sizes src srcdoc srcset style target title type value width
  xlink:href Class DATA-SERVICE script title`
  .trim()
  .split(/\s+/)

const VALUES =
  `a.html|/b.js|#c|missing.png|javascript:localStorage.x|document.cookie|text/css|module|
importmap|application/json|radio|checkbox|file|submit|refresh|0; url=gone.html|og:title|viewport|
description|twitter:title|stylesheet|icon|modulepreload|post|dialog|name|f1|new Worker('w.js')|x.svg#y|
background: url(z.png)|a.png 1x, gone.png 2x|&lt;form data-service&gt;|width=device-width||/|>`
    .split('|')
    .map((value) => value.trim())

const TEXTS = `|text|\n|a &amp; b|localStorage.a|Service.submit({})|new Worker('w')|url(gone.png)|
import './gone.js'|history.pushState({}, '', location.pathname)|viewport|submit|é|<|</|-->|]]>|
<!doctype html>|<!-- c -->|<!--|<![CDATA[x]]>|"/b.js"`.split('|')

/** What the finders find, each alone in its page. */
const FINDINGS = `<!doctype html><html><head>|<html><head><p>|<body>|<frameset>|<!doctype html><p>|
<head><title>T</title><meta name=viewport><p>|<meta property=og:title content=x>|<base href=/x/>|
<meta http-equiv=refresh content='0; url=gone.html'>|<meta name=twitter:description content=x>|
<form data-service><input name=a></form>|<form><input name=a></form>|<form><button>Go</button></form>|
<form><select></select></form>|<form><textarea name=a></textarea></form>|<template><form>|
<form method=dialog><input></form>|<form action=/send><input></form>|<form><button formaction=/x>|
<form id=f data-service></form><input name=a form=f>|<form id=f></form><input form=f>|
<form data-service><input name=a data-label=A type=number></form>|<form data-service><input type=file>|
<form data-service><select name=a multiple></select></form>|<form data-service><button name=a>|
<form data-service><fieldset data-label=A><input type=radio name=a></fieldset><input name=b>|
<form data-service><fieldset data-label=A><fieldset><p></fieldset><input type=radio name=a></form>|
<form data-service><fieldset data-label=A></fieldset><input type=radio name=a>|<form><p></form><input>|
<template><form data-service><input name=a></form></template><form data-service><input name=b></form>|
<img src=gone.png>|<img srcset='gone.png 2x'>|<link rel=preload imagesrcset='gone.png 2x'>|
<video poster=gone.png></video>|<object data=gone.svg></object>|<link rel=stylesheet href=gone.css>|
<link rel=next href=gone.css>|<a href=gone.html>x</a>|<p style='background:url(gone.png)'>|
<svg><use href=icons.svg#a></svg>|<svg><image xlink:href=gone.png></svg>|<a download href=a.html>x</a>|
<iframe srcdoc='<script>localStorage.x</script>'></iframe>|<p onclick='localStorage.x'>|
<form action='javascript:localStorage.x'>|<button formaction='javascript:localStorage.x'>|
<script>localStorage.x</script>|<script type=application/json>localStorage.x</script>|
<script type=module>import './gone.js'</script>|<script type=importmap>{}</script>|<style>a{b:url(c)}|
<svg><script>localStorage<b></b>.x</script></svg>|<title>a</title>|<textarea>|<p>text</p><!-- open`
  .split('|')
  .map((html) => html.trim())

const attribute = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...VALUES), fc.constantFrom('"', "'", ''))
  .map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`)
const attributes = fc.array(attribute, { maxLength: 4 }).map((all) => all.join(''))
const piece = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TAGS), attributes, fc.constantFrom('>', '>', '>', '/>', ' '))
    .map(([name, all, end]) => `<${name}${all}${end}`),
  fc.constantFrom(...TAGS).map((name) => `</${name}>`),
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...FINDINGS),
)
/** A part of a page that is as it should be: the others leave much open. */
const whole = fc
  .tuple(fc.constantFrom(...TAGS), attributes, fc.array(piece, { maxLength: 3 }))
  .map(([name, all, inside]) => `<${name}${all}>${inside.join('')}</${name}>`)
const documents = fc
  .array(fc.oneof(piece, whole, whole), { maxLength: 12 })
  .map((parts) => parts.join(''))

const paths = new Set(['index.html', 'a.html', 'b.js'])
const FILES: ReferringFile[] = [
  { path: 'index.html', deck: null },
  { path: 'index.html', deck: { paths, entry: 'index.html', readsPixels: false } },
]

/** The result of a scan that gets every tag with all its attributes. */
function scanInFull(bytes: Buffer, file: ReferringFile) {
  const { names: _, plainStartTag: __, plainEndTag: ___, result, ...sink } = createScan(bytes, file)
  readTokens(bytes, sink satisfies TokenSink)
  return result()
}

test('a scan has the same result when plain tags are passed without their names', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...FILES), (html, file) => {
      const bytes = Buffer.from(html)
      expect(scanHtml(bytes, file)).toEqual(scanInFull(bytes, file))
    }),
    runs(20_000),
  )
})

test.each(FINDINGS)('the same is found in %s', (html) => {
  for (const file of FILES) {
    for (const around of [html, `<p class=a>${html}</p><b>`, `<script>x</script>${html}</p>`]) {
      const bytes = Buffer.from(around)
      expect(scanHtml(bytes, file)).toEqual(scanInFull(bytes, file))
    }
  }
})

test('a tag beyond the limit of attributes is closed where it would be in full', () => {
  for (const count of [499, 500, 501]) {
    for (const last of [' class=a/', ' onclick=a/', ' href=a/', '/']) {
      const html = `<svg><g${' class=b'.repeat(count)}${last}><title>x</title></svg><title>y</title>`
      const bytes = Buffer.from(`${html}<svg${' class=b'.repeat(count)}${last}><style><p></style>`)
      expect(scanHtml(bytes)).toEqual(scanInFull(bytes, FILES[0]!))
    }
  }
})
