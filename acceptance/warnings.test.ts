/** What an answer that takes content says about defects that visitors would meet. */
import { expect, test } from 'bun:test'
import { type Answer, pro, visitor } from './client.ts'
import { shellOf } from './client-shell.ts'
import { everyCase, expectJson } from './expect.ts'
import { base64, gif, html, jpeg, pdf, png, webp, word } from './material.ts'
import { agent } from './mcp-client.ts'

interface Warning {
  code: string
  message: string
  path: string | null
  line: number | null
}

const START = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n'

function warningsOf(answer: Answer): Warning[] {
  const { warnings } = answer.json as { warnings: Warning[] }
  for (const { message } of warnings) expect(message).toMatch(/^[\S].{20,}\.$/)
  return warnings
}

test('an answer that takes content carries warnings, an empty list where all is well', async () => {
  const page = await pro.create({ html: html('well') })
  expectJson(page, 201)
  expect(page.json).toMatchObject({ warnings: [] })
  const { id } = (page.json as { data: { id: string } }).data
  const edits = [{ find: 'well', replace: 'better' }]
  await everyCase<() => Promise<Answer>>(
    [
      ['a draft', () => pro.create({ html: html('draft'), publish: false })],
      ['a PDF', () => pro.create({ file_base64: base64(pdf()), filename: `${word()}.pdf` })],
      ['new content', () => pro.patch(id, { html: html('well') })],
      ['settings alone', () => pro.patch(id, { title: word('Title') })],
      ['an edit', () => pro.patchHtml(id, { edits })],
      ['a publish', () => pro.call('POST', `/pages/${id}/publish`)],
      ['a restore', () => pro.call('POST', `/pages/${id}/versions/1/restore`, {})],
    ],
    async (write) => expect(warningsOf(await write())).toEqual([]),
  )
  for (const method of ['GET', 'DELETE']) {
    const path = `/pages/${id}${method === 'GET' ? '' : '/publish'}`
    expect(Object.keys((await pro.call(method, path)).json as object)).toEqual(['data'])
  }
})

test('warnings name each certain defect of a single page, with its line', async () => {
  const cases: [string, string, number | null][] = [
    ['missing_file', '<p>\n<img src="logo.png">', 4],
    ['missing_file', '<link rel="stylesheet" href="./style.css">', 3],
    ['missing_file', '<style>\nbody { background: url(bg.jpg) }</style>', 4],
    ['missing_file', '<a href="team.html">Team</a>', 3],
    ['local_address', '<img src="file:///C:/Users/ann/logo.png">', 3],
    ['local_address', '<img src="C:\\Users\\ann\\logo.png">', 3],
    ['local_address', '\n\n<script src="http://localhost:3000/app.js"></script>', 5],
    ['local_address', '<a href="http://127.0.0.1:5173/">', 3],
    ['form_goes_nowhere', '<form method="post">\n<input name="a"></form>', 3],
    ['file_input_ignored', '<form data-service>\n<input type="file" name="a"></form>', 4],
    ['unnamed_field', '<form data-service>\n<input id="a"></form>', 4],
    ['framed_form', '<iframe srcdoc="<form data-service>"></iframe>', 3],
    ['unclosed_element', '<p>\n<script>let a = 1', 4],
    ['unclosed_element', '<style>p { color: red }\n<p>', 3],
    ['unclosed_comment', '<p>\n<!-- the rest', 4],
  ]
  await everyCase(
    cases.map((each) => [each[1], each] as const),
    async ([code, body, line]) => {
      const answer = await pro.create({ html: START + body })
      expect(warningsOf(answer)).toEqual([{ code, message: expect.any(String), path: null, line }])
    },
  )
  const wide = await pro.create({ html: '<!doctype html><p>no viewport' })
  expect(warningsOf(wide)).toMatchObject([{ code: 'no_viewport', path: null, line: null }])
})

test('what may work for visitors gets no warning', async () => {
  const pieces = [
    '<a href="#top">a</a> <a href="?a=1">a</a> <a href="/p/another">a</a> <a href="another">a</a>',
    '<a href="https://example.com/a.html">a</a> <a href="mailto:a@example.com">a</a>',
    '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt=""> <img data-src="a.png" alt="">',
    '<form action="https://example.com/send"><input name="a"></form>',
    '<form data-service><input name="a"></form>',
    '<iframe srcdoc="<form action=https://example.com/send><p title=data-service>"></iframe>',
    '<form><input name="a"></form><script>document.forms[0].onsubmit = send</script>',
    '<template><img src="{{image}}"></template> <!-- <img src="a.png"> -->',
    '<pre>http://localhost:3000</pre> <code>&lt;img src="a.png"&gt;</code>',
    '<p>unclosed <li>elements <td>that HTML closes',
  ]
  await everyCase(
    pieces.map((piece) => [piece, piece] as const),
    async (piece) => expect(warningsOf(await pro.create({ html: START + piece }))).toEqual([]),
  )
  const fragment = await pro.create({ html: '<h1>A fragment is served in a document</h1>' })
  expect(warningsOf(fragment)).toEqual([])
})

const cut = (bytes: Uint8Array) => base64(bytes.subarray(0, bytes.length - 1))

test('warnings of a deck name the file, what it lacks, and images that are cut off', async () => {
  const answer = await pro.create({
    files: [
      { path: 'index.html', html: `${START}<img src="img/logo.png"><a href="/about/">a</a>` },
      { path: 'parts/two.html', html: `${START}\n<a href="tree.html">a</a><a href="../">b</a>` },
    ],
    assets: [
      { path: 'img/cut.png', data_base64: cut(png()) },
      { path: 'img/cut.jpg', data_base64: cut(jpeg()) },
      { path: 'img/cut.gif', data_base64: cut(gif()) },
      { path: 'img/cut.webp', data_base64: cut(webp()) },
      { path: 'img/whole.png', data_base64: base64(png()) },
      { path: 'a.css', data_base64: base64('p {\n  background: url("img/none.png") }') },
    ],
  })
  expectJson(answer, 201)
  expect(warningsOf(answer).map(({ code, path, line }) => [code, path, line])).toEqual([
    ['missing_file', 'index.html', 3],
    ['missing_file', 'index.html', 3],
    ['missing_file', 'parts/two.html', 4],
    ['truncated_image', 'img/cut.png', null],
    ['truncated_image', 'img/cut.jpg', null],
    ['truncated_image', 'img/cut.gif', null],
    ['truncated_image', 'img/cut.webp', null],
    ['missing_file', 'a.css', 2],
  ])
  expect(warningsOf(answer)[0]!.message).toContain('img/logo.png')
  const { id } = (answer.json as { data: { id: string } }).data

  // Kept assets are still cut off; what the new files have is no longer missing.
  const files = [{ path: 'index.html', html: `${START}<img src="img/whole.png">` }]
  const replaced = warningsOf(await pro.patch(id, { files }))
  expect(replaced.map(({ path }) => path)).toEqual([
    'img/cut.png',
    'img/cut.jpg',
    'img/cut.gif',
    'img/cut.webp',
    'a.css',
  ])
  const without = await pro.patch(id, { files, assets: [] })
  expect(warningsOf(without)).toMatchObject([{ code: 'missing_file', path: 'index.html' }])
})

/** A deck of this start page and these assets. */
function deckOf(body: string, assets: Record<string, string>) {
  return pro.create({
    files: [{ path: 'index.html', html: START + body }],
    assets: Object.entries(assets).map(([path, text]) => ({ path, data_base64: base64(text) })),
  })
}
const needsOf = (answer: Answer) =>
  (answer.json as { data: { needs_origin: string[] } }).data.needs_origin

test('the sources of a project are recognised by a script that browsers do not run', async () => {
  const sources = await deckOf('<script type="module" src="/src/main.tsx"></script>', {})
  expect(warningsOf(sources)).toMatchObject([{ code: 'source_file', path: 'index.html', line: 3 }])
  expect(warningsOf(sources)[0]!.message).toMatch(/"\/src\/main\.tsx" .*did you mean `dist\/`\?/)

  const source = { 'src/main.tsx': 'const n: number = 1' }
  const answer = await deckOf('<script type="module" src="/src/main.tsx"></script>', source)
  expect(warningsOf(answer)).toMatchObject([{ code: 'source_file', path: 'index.html', line: 3 }])
  const compiled = await deckOf('<script type="text/babel" src="src/main.tsx"></script>', source)
  expect(warningsOf(compiled)).toEqual([])
})

test('a build for the root of a host is warned of with its cure, and needs an origin', async () => {
  const script = '<script type="module" src="assets/a.js"></script>'
  const image = { 'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  const rooted = await deckOf(script, { ...image, 'assets/a.js': 'x()\nshow("",d=`/img/`)' })
  expect(warningsOf(rooted)).toMatchObject([{ code: 'root_address', path: 'assets/a.js', line: 2 }])
  expect(warningsOf(rooted)[0]!.message).toMatch(/"\/img\/" .*--base=\.\/.*CONTENT_URL/)
  expect(needsOf(rooted)).toEqual(['root_paths'])
  const { id } = (rooted.json as { data: { id: string } }).data
  expect(needsOf(await pro.call('GET', `/pages/${id}`))).toEqual(['root_paths'])

  const router = 'let{pathname:r,search:i,hash:a}=n||e.location;o.pushState(d,``,f)'
  const routed = await deckOf(script, { 'assets/a.js': router })
  expect(warningsOf(routed)).toMatchObject([{ code: 'root_router', path: 'assets/a.js', line: 1 }])
  expect(needsOf(routed)).toEqual(['router'])

  const others: [code: string, needs: string[], warned?: string][] = [
    ['import("./b.js"); fetch("img/a.svg"); fetch(base + "/img/a.svg")', []],
    ['fetch("/img/a.svg"); show("", d=`/img/a.svg`)', ['root_paths'], 'root_address'],
    ['new Worker("assets/b.js")', []],
    ['new SharedWorker("assets/b.js")', ['worker'], 'needs_origin'],
    ['localStorage.theme = "dark"', ['storage']],
    ['let{pathname:n=`/`,search:r=``,hash:i=``}=T(e.location.hash);o.pushState(d,``,f)', []],
    ['history.pushState(null, "", location.pathname + "#part")', []],
    ['show(window.location.pathname); history.pushState(0, "", to)', ['router'], 'root_router'],
  ]
  await everyCase(
    others.map((each) => [each[0], each] as const),
    async ([code, needs, warned]) => {
      const answer = await deckOf(script, { ...image, 'assets/a.js': code, 'assets/b.js': '' })
      const codes = warningsOf(answer).map((warning) => warning.code)
      expect(codes).toEqual(warned === undefined ? [] : [warned])
      expect(needsOf(answer)).toEqual(needs)
    },
  )
})

const SCRIPTED_SVG = '<svg xmlns="http://www.w3.org/2000/svg">\n<script/></svg>'

test('files that only a host of the page’s own honours are warned of with the cure', async () => {
  const answer = await deckOf('<a href="feed.xml">x</a><object data="a.svg"></object>', {
    _redirects: '/old /index.html\n/api/* https://api.example/:splat 200',
    _headers: '/*\n  Cross-Origin-Opener-Policy: same-origin\n  X-Frame-Options: DENY',
    'feed.xml': '<a/>',
    'a.svg': SCRIPTED_SVG,
    'b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  const results = warningsOf(answer).map(({ code, path, line }) => [code, path, line])
  expect(results).toEqual([
    ['ignored_rule', '_redirects', 2],
    ['ignored_rule', '_headers', 3],
    ['needs_origin', '_redirects', null],
    ['needs_origin', '_headers', null],
    ['needs_origin', 'index.html', 3],
    ['needs_origin', 'a.svg', 2],
  ])
  const picture = await deckOf('<img src="a.svg" alt="">', { 'a.svg': SCRIPTED_SVG })
  expect(warningsOf(picture)).toEqual([])
  const cured = warningsOf(answer).filter(({ message }) => message.includes('set CONTENT_URL'))
  expect(cured).toHaveLength(4)
})

test('frames that are named for links in one another need a host of the page’s own', async () => {
  const frames = '<frameset><frame src="a.html" name="a">\n<frame src="a.html" name=b></frameset>'
  const message = expect.stringMatching(/^A link from one frame to another .*set CONTENT_URL/)
  const found = warningsOf(await deckOf(frames, {}))
  expect(found).toContainEqual({ code: 'needs_origin', message, path: 'index.html', line: 4 })
  const one = warningsOf(await deckOf(frames.replace('name=b', ''), {}))
  expect(one.filter(({ code }) => code === 'needs_origin')).toEqual([])
})

test('publish and restore tell the warnings of the draft that goes live', async () => {
  const page = await pro.publish({ html: html('one') })
  const codes = (answer: Answer) => warningsOf(answer).map(({ code }) => code)
  const broken = await pro.patch(page.id, { html: `${START}<img src=a.png>` })
  expect(codes(broken)).toEqual(['missing_file'])
  expect(codes(await pro.call('POST', `/pages/${page.id}/publish`))).toEqual(['missing_file'])
  const mended = { edits: [{ find: '<img src=a.png>', replace: '<p>text' }], publish: true }
  expect(codes(await pro.patchHtml(page.id, mended))).toEqual([])
  const restore = (no: number) => pro.call('POST', `/pages/${page.id}/versions/${no}/restore`, {})
  expect(codes(await restore(2))).toEqual(['missing_file'])
  expect(codes(await restore(1))).toEqual([])
  expect((await visitor.open(page.slug)).text).toBe(`${START}<p>text`)
})

test('warnings are at most 50, and words of the page in them stay short', async () => {
  const images = Array.from({ length: 300 }, (_, n) => `<img src="${'x'.repeat(500)}${n}.png">`)
  const warnings = warningsOf(await pro.create({ html: START + images.join('\n') }))
  expect(warnings).toHaveLength(50)
  for (const { message } of warnings) expect(message.length).toBeLessThan(300)
  expect(new Set(warnings.map(({ line }) => line)).size).toBe(50)
})

test('a retry of a create answers its warnings again', async () => {
  const body = { html: `${START}<img src=a.png>`, title: word('Retried') }
  const headers = { 'idempotency-key': word('key') }
  const [first, again] = [await pro.create(body, headers), await pro.create(body, headers)]
  expect(again.json).toEqual(first.json)
  expect(warningsOf(again)).toHaveLength(1)
})

test('tools answer the warnings too, and point at them', async () => {
  await using mcp = await agent('http')
  const { json, text } = await mcp.call('publish_page', { html: `${START}<img src=a.png>` })
  expect(json.warnings).toMatchObject([{ code: 'missing_file', line: 3 }])
  expect(text).toContain('warnings')
  const well = await mcp.call('publish_page', { html: html('well') })
  expect(well.json.warnings).toBeUndefined()
  expect(well.text.split('\n')[0]).not.toContain('warnings')
})

test('what many files repeat is one warning for people and models, and hides no other', async () => {
  const form = `${START}<form><input name=a></form>`
  const files = Array.from({ length: 59 }, (_, i) => ({ path: `${i + 10}.html`, html: form }))
  const all = [...files, { path: '99.html', html: `${START}<a href=x.html>` }]
  const { warnings } = (await pro.create({ files: all })).json as { warnings: Warning[] }
  expect(warnings).toHaveLength(50)
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'missing_file', path: '99.html' }),
  )

  const shell = shellOf()
  for (const { path, html } of all) shell.write(`deck/${path}`, html)
  const { stderr } = await shell.run('publish', 'deck', '--yes')
  const lines = stderr.split('\n').filter((line) => !/^Open|^The page opens/.test(line))
  expect(lines).toEqual([
    expect.stringMatching(
      /^Warning: 10\.html:3, 11\.html:3, 12\.html:3 and 46 more: What visitors/,
    ),
    expect.stringMatching(/^Warning: 99\.html:3: "x\.html" leads to no file/),
    'There may be more: not all are told at once.',
    '',
  ])

  await using mcp = await agent('http')
  const { json } = await mcp.call('publish_page', { files: all })
  expect(json.warnings).toMatchObject([
    {
      code: 'form_goes_nowhere',
      path: '10.html',
      also_at: expect.stringMatching(/^11\.html:3, .+ and 38 more$/),
    },
    { code: 'missing_file', path: '99.html', line: 3 },
  ])
  expect(json.warnings[1]).not.toHaveProperty('also_at')
})

test('the command line prints warnings to stderr, with file and line', async () => {
  const shell = shellOf()
  shell.write('page.html', `${START}<img src=a.png>`)
  const single = await shell.run('publish', 'page.html')
  expect(single.code).toBe(0)
  expect(single.stdout).toMatch(/^http\S+\n$/)
  expect(single.stderr).toMatch(/^Open to .+\nWarning: line 3: "a\.png" .+\.\n$/)
  shell.write('deck/index.html', `${START}<a href=two.html>`)
  const deck = await shell.run('publish', 'deck', '--json')
  expect(JSON.parse(deck.stdout)).toMatchObject({ kind: 'bundle' })
  const lines = /^Open to .+\nWarning: index\.html:3: "two\.html" .+\.\nThe page opens at .+\n$/
  expect(deck.stderr).toMatch(lines)
  const again = await shell.run('publish', 'deck')
  expect(again.stderr.match(/Warning/g)).toHaveLength(1)
  shell.write('page.html', html('well'))
  expect((await shell.run('publish', 'page.html')).stderr).not.toContain('Warning')
})
