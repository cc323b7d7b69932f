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
export const DOCUMENTS = FRAMES.flatMap((frame) => BODIES.map(frame))

/** As it arrives from a program that writes windows-1252, once it was decoded. */
export const DECODED = new TextDecoder('windows-1252').decode(
  Uint8Array.from(
    Buffer.from('<p>Caf\xe9 \x93quoted\x94 \x96 5 \x80, na\xefve &eacute;t&eacute;</p>', 'latin1'),
  ),
)
