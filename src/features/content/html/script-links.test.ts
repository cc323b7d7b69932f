import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { processorMs } from '../../../testing/processor-time.ts'
import { anyText, runs } from '../../../testing/property.ts'
import { releaseFile } from '../release-file.ts'
import { rewriteReferences } from './html-links.ts'
import { findStrings } from './script-strings.ts'

const PATHS = ['index.html', 'about.html', 'data.json', 'icons.svg', 'é b.png', 'assets/hero-1.png']
const SCRIPTS = ['assets/app.js', 'assets/w-1.js', 'assets/About-2.js']
const deckOf = (...more: string[]) => {
  return { paths: new Set([...PATHS, ...SCRIPTS, ...more]), entry: 'index.html' }
}

function rewrite(text: string, path = 'assets/app.js', deck = deckOf()): string {
  const mime = path.endsWith('.js') ? 'text/javascript' : 'text/html'
  return Buffer.from(rewriteReferences({ path, mime, bytes: Buffer.from(text) }, deck)).toString()
}

describe('a string that is the address of a file', () => {
  test.each([
    ['fetch("/data.json")', 'fetch("./data.json")'],
    ["img.src='/assets/hero-1.png?v=2#x'", "img.src='./assets/hero-1.png?v=2#x'"],
    ['l=n(),d=`/assets/hero-1.png`,f=1', 'l=n(),d=`./assets/hero-1.png`,f=1'],
    ['x("use",{href:"/icons.svg#sun"})', 'x("use",{href:"./icons.svg#sun"})'],
    ['x = "/%C3%A9%20b.png"', 'x = "./%C3%A9%20b.png"'],
    ['d3.json("/data.json", show)', 'd3.json("./data.json", show)'],
    ['const all = ["/data.json","/icons.svg"]', 'const all = ["./data.json","./icons.svg"]'],
    ['return["/data.json"]', 'return["./data.json"]'],
    ['fetch("/data.json" + "?" + now)', 'fetch("./data.json" + "?" + now)'],
    ['const a = b / c; fetch("/data.json") / d', 'const a = b / c; fetch("./data.json") / d'],
    ['const q = /["`]/; fetch("/data.json")', 'const q = /["`]/; fetch("./data.json")'],
    [`a\`\${f("/data.json")} /data.json\``, `a\`\${f("./data.json")} /data.json\``],
    ['location.href = "/about.html"', 'location.href = "./about.html"'],
    ['window.open("/about.html")', 'window.open("./about.html")'],
    ['new URL("/data.json", location.href)', 'new URL("./data.json", location.href)'],
    ['new URL("/assets/w-1.js", import.meta.url)', 'new URL("../assets/w-1.js", import.meta.url)'],
    [
      'new Worker(new URL(new URL(`/assets/w-1.js`,``+import.meta.url)),{type:`module`})',
      'new Worker(new URL(new URL(`../assets/w-1.js`,``+import.meta.url)),{type:`module`})',
    ],
    ['import "/assets/w-1.js"; go("/data.json")', 'import "../assets/w-1.js"; go("./data.json")'],
    [
      'm.f=["assets/About-2.js"];h="modulepreload",u=function(e){return"/"+e}',
      'm.f=["assets/About-2.js"];h="modulepreload",u=function(e){return""+e}',
    ],
    ['onmessage=()=>fetch("/data.json")', 'onmessage=()=>fetch("../data.json")'],
  ])('%s', (given, becomes) => {
    expect(rewrite(given)).toBe(becomes)
  })

  test.each([
    ['<script>fetch("/data.json")</script>', '<script>fetch("../data.json")</script>'],
    [
      `<button onclick="location.href='/about.html'">`,
      `<button onclick="location.href='../about.html'">`,
    ],
    [
      '<base href="/"><script>x="/data.json"</script>',
      '<base href="../"><script>x="./data.json"</script>',
    ],
  ])('in a document of a folder: %s', (given, becomes) => {
    expect(rewrite(given, 'docs/index.html', deckOf('docs/index.html'))).toBe(becomes)
  })
})

describe('a string stays', () => {
  const STAYS = [
    'fetch("/missing.json")',
    'fetch("//data.json")',
    'fetch("data.json")',
    'fetch("https://example.com/data.json")',
    'fetch("/da\\u0074a.json")',
    'if (path === "/data.json") fetch("/data.json")',
    'if ("/data.json" == path) fetch("/data.json")',
    'switch (p) { case "/data.json": fetch("/data.json") }',
    'const table = { "/data.json": 1 }; table["/data.json"]',
    'const table = {a:1,"/data.json": 1}',
    'const file = folder + "/data.json"',
    'url.endsWith("/data.json")',
    'url.replace("/data.json", "")',
    'const routes = [{ path: "/about.html" }]',
    'new URL("/data.json", location.origin)',
    'new URL("/data.json", other)',
    '// fetch("/data.json")',
    '/* fetch("/data.json") */',
    'x = /"\\/data.json"/',
    'x = "fetch(\'/data.json\')"',
    `\`\${"unclosed"} fetch("/data.json")`,
    'fetch("/data.json") }',
    'const assets = "/assets/"',
    'u=function(e){return"/"+e}',
  ]
  test.each(STAYS)('%s', (text) => {
    expect(rewrite(text)).toBe(text)
  })

  test('where documents in folders of different depth may run the script', () => {
    const deck = deckOf('docs/index.html')
    const text = 'fetch("/data.json"); new URL("/data.json", import.meta.url)'
    const becomes = 'fetch("/data.json"); new URL("../data.json", import.meta.url)'
    expect(rewrite(text, 'assets/app.js', deck)).toBe(becomes)
  })
})

test('what is mended needs no origin, and the file stays beside it as it was', () => {
  const bytes = Buffer.from('fetch("/data.json")')
  const file = { path: 'assets/app.js', mime: 'text/javascript', isEntry: false, bytes }
  const mended = releaseFile({ ...file, deck: deckOf() })
  expect(mended.facts).toMatchObject({ needs_origin: [], warnings: [] })
  expect(mended.original).toEqual({ bytes: null, hash: null, html: null })
  const { facts, original } = releaseFile({ ...file, deck: deckOf('docs/index.html') })
  expect(original).toBeNull()
  expect(facts.needs_origin).toEqual(['root_paths'])
  expect(facts.warnings.map(({ code }) => code)).toEqual(['root_address'])
})

describe('the strings of a script', () => {
  test.each<[script: string, strings: string[] | null]>([
    [`a='b';c="d\\"e"`, ['b', 'd\\"e']],
    [`x=\`a\`+\`b\${"c"+\`d\${\`e\`}\`}f\``, ['a', 'c', 'e']],
    ['if(a)/"/.test(b);"c"', ['c']],
    ['a(b)/"c"/d', ['c']],
    ['i++/"a"/2', ['a']],
    ['x={}/"a"/2;function f(){}/"/.test(y)', ['a']],
    ['return/"/g', []],
    ['a.return/"b"/c', ['b']],
    ['/[/"]/.test(a),"b"', ['b']],
    ['#!/usr/bin/env "node\n"a"', ['a']],
    ['"a', null],
    ['`a', null],
    ['/* "a"', null],
    ['("a"', null],
    ['["a")', null],
  ])('%s', (script, strings) => {
    const found = findStrings(script)
    expect(found?.map(({ start, end }) => script.slice(start, end)) ?? null).toEqual(strings)
  })
})

describe('any script', () => {
  const part = fc.oneof(
    anyText,
    fc.constantFrom('"/data.json"', "'/icons.svg#a'", '`', '${', '}', '(', '/', '//', '\n', '\\'),
    fc.constantFrom('fetch(', 'x=', 'import ', 'import(', 'case ', ',', ':', '{', 'return '),
  )
  test('changes only by dots and slashes, and not when it is rewritten again', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join(' ')
        const once = rewrite(text)
        expect(once.replaceAll(/(["'`])\.\.?\//g, '$1/').toWellFormed()).toBe(
          text.replaceAll(/(["'`])\.\.?\//g, '$1/').toWellFormed(),
        )
        expect(rewrite(once)).toBe(once)
      }),
      runs(500),
    )
  })

  const seeds = [
    '"/data.json"',
    '"/data.json":',
    '=/[ ',
    '/',
    '"/',
    '`/',
    '`${',
    'a++/',
    '"/x',
    '\\',
  ]
  const calls = [
    'new URL("/data.json",',
    '"modulepreload",u=function(',
    '/*',
    '//',
    '("/data.json"\n',
  ]
  test.each([...seeds, ...calls])('takes time in proportion to its length: %j', (seed) => {
    const text = `"/data.json";${seed.repeat(Math.ceil(2_000_000 / seed.length))}`
    expect(processorMs(() => rewrite(text))).toBeLessThan(2500)
  })
})
