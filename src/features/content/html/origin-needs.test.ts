import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { attacks } from '../../../testing/html-attacks.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { anyText, runs } from '../../../testing/property.ts'
import { releaseFile } from '../release-file.ts'
import { findScriptNeeds } from './origin-needs.ts'

const PATHS = [
  ...['index.html', 'about.html', 'docs/index.html', 'data.json', 'é b.png', 'worker.js'],
  ...['assets/hero-CLDdwZDr.png', 'assets/About-Dkuh_r8W.js', 'assets/w-BjNG0-ji.js', '_next/a.js'],
]
const DECK = { paths: new Set(PATHS), entry: 'index.html' }
const FILE = { path: 'assets/index.js', deck: DECK }

const needsOf = (text: string, deck: typeof DECK | null = DECK) =>
  findScriptNeeds({ text, firstLine: 1 }, { ...FILE, deck }).needs.join(' ')
const warningsOf = (text: string) =>
  findScriptNeeds({ text, firstLine: 1 }, FILE).warnings.map(
    ({ code, subject, line }) => `${code} ${subject} ${line}`,
  )

/** What build tools write; names and order of the variables are theirs. */
const BUILDS = {
  'a Vite asset': 'l=n(),d=`/assets/hero-CLDdwZDr.png`,f=1',
  'a Vite worker':
    'new Worker(new URL(new URL(`/assets/w-BjNG0-ji.js`,``+import.meta.url)),{type:`module`})',
  'a Vite worker of a relative build':
    'new Worker(new URL(new URL(`w-BjNG0-ji.js`,import.meta.url).href,``+import.meta.url))',
  'the chunks of a Vite build':
    'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/About-Dkuh_r8W.js"])))=>i;' +
    'Hn=`modulepreload`,Un=function(e){return`/`+e}',
  'the chunks of a relative Vite build':
    'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./About-Dkuh_r8W.js"])))=>i;' +
    'Un=function(e,t){return new URL(e,t).href}',
  'React Router':
    'function t(e,t){let{pathname:r,search:i,hash:a}=n||e.location;return ie(``,{pathname:r})}' +
    'o.pushState(d,``,f)',
  'React Router in the fragment':
    'let{pathname:n=`/`,search:r=``,hash:i=``}=T(e.location.hash.substring(1));' +
    'o.pushState(d,``,f);f.navigation.location.pathname;r.addEventListener(E,u)',
  'Vue Router':
    'function uf(e,t){let{pathname:n,search:r,hash:i}=t,a=e.indexOf(`#`)}' +
    'history[n?"replaceState":"pushState"](e,"",t);addEventListener(`popstate`,s)',
  'Vue Router in the fragment':
    'function hf(e){return e=location.host?e||location.pathname+location.search:``}' +
    'let{pathname:n,search:r,hash:i}=t,a;history.pushState(e,``,t);addEventListener(`popstate`,s)',
  VitePress: 'let s=__VP_HASH_MAP__[t.toLowerCase()];localStorage',
  'a router by hand':
    'addEventListener("popstate", show)\nfunction go(to) { history.pushState({}, "", to) }\n' +
    'function show() { render(location.pathname) }',
  'the notes of reveal.js': 'n=null\nn=window.open(`about:blank`,`reveal.js - Notes`,`width=1100`)',
  'the console of impress.js': 'null==(c=t.open("","impressConsole"))',
  'a window to print': 'w = window.open("", "print"); w.document.write(html); w.print()',
  'the runtime of Next.js': 'let t="/_next/",r=new Set',
}

describe('a build needs', () => {
  test.each<[keyof typeof BUILDS, needs: string, warning: string]>([
    ['a Vite asset', 'root_paths', 'root_address /assets/hero-CLDdwZDr.png 1'],
    ['a Vite worker', 'root_paths', 'root_address /assets/w-BjNG0-ji.js 1'],
    ['a Vite worker of a relative build', '', ''],
    ['the chunks of a Vite build', 'root_paths', 'root_address /assets/About-Dkuh_r8W.js 1'],
    ['the chunks of a relative Vite build', '', ''],
    ['React Router', 'router', 'root_router  1'],
    ['React Router in the fragment', '', ''],
    ['Vue Router', 'router', 'root_router  1'],
    ['Vue Router in the fragment', '', ''],
    ['VitePress', 'router', 'root_router  1'],
    ['a router by hand', 'router', ''],
    ['the notes of reveal.js', 'window', 'speaker_window  2'],
    ['the console of impress.js', 'window', 'speaker_window  1'],
    ['a window to print', '', ''],
    ['the runtime of Next.js', 'root_paths', 'root_address /_next/ 1'],
  ])('%s: %s', (name, needs, warning) => {
    expect(needsOf(BUILDS[name])).toBe(needs)
    expect(warningsOf(BUILDS[name]).join()).toBe(warning)
  })

  test.each([
    ['fetch("/data.json")', 'root_paths', 1],
    ['img.src = "/%C3%A9%20b.png?v=2"', 'root_paths', 1],
    ['load("/data.json")', 'root_paths', 0],
    ['const pages = ["/about.html", "/docs/"]', 'root_paths', 0],
    ['new Worker("worker.js"); context.audioWorklet.addModule("worker.js")', '', 0],
    ['new SharedWorker("./worker.js?x")', 'worker', 0],
    ['navigator.serviceWorker.register("/worker.js")', 'root_paths worker', 0],
  ])('%s: %s', (text, needs, warnings) => {
    expect(needsOf(text)).toBe(needs)
    expect(warningsOf(text)).toHaveLength(warnings)
  })

  test('nothing of a deck where it is a single page', () => {
    expect(needsOf(BUILDS['a Vite worker'], null)).toBe('')
    expect(needsOf(BUILDS['React Router'], null)).toBe('router')
  })

  test('what its inline scripts do, at their lines, once for each file', () => {
    const script = '<script>\nfetch("/data.json")\nlet a = "/_next/", b = "/assets/"\n</script>'
    const { facts } = releaseFile({
      bytes: Buffer.from(`<!doctype html><meta name=viewport>\n${script}${script}`),
      path: 'index.html',
      mime: 'text/html',
      deck: DECK,
      isEntry: true,
    })
    expect(facts.needs_origin).toEqual(['root_paths'])
    expect(facts.warnings).toEqual([{ code: 'root_address', line: 4, subject: '/_next/' }])
  })
})

/** Scripts of ordinary pages: none works better at the root of a host. */
const ORDINARY = [
  'console.log("hello")',
  'document.querySelector("/data.jsonx")',
  'fetch("data.json").then((r) => r.json())',
  'fetch("./data.json")',
  'fetch("https://api.example.com/data.json")',
  'fetch("//cdn.example.com/data.json")',
  'const base = "/p/"; location.hash = "#/about"',
  'if (location.pathname.endsWith("/about.html")) mark()',
  'if (path === "/about.html") mark()',
  'const file = folder + "/data.json"',
  'const file = `$' + '{folder}/data.json`',
  'const file = folder.concat("/data.json")',
  '// fetch("/data.json")',
  '/**\n * Reads "/data.json".\n */\nfunction read() {}',
  'history.replaceState(null, null, location.pathname + location.search)',
  'addEventListener("popstate", back); history.pushState({ slide: 2 }, "", "#2")',
  'const h=history;const p=h.pushState;h.pushState=function(){p.apply(h,arguments);count()};' +
    'addEventListener("popstate",count);function count(){send(location.pathname)}',
  'new Worker(URL.createObjectURL(new Blob(["onmessage=()=>{}"])))',
  'class Worker {}; const w = new Worker(options)',
  'text.split("/").map((part) => "/" + part); x = a / b / c; y = /"\\/data.json"/.test(z)',
  'const { pathname, search, hash } = new URL(link); open(pathname)',
  'switch (p) { case "/data.json": break }',
]

test.each(ORDINARY)('an ordinary page needs none: %s', (text) => {
  expect(needsOf(text)).toBe('')
  expect(warningsOf(text)).toEqual([])
})

describe('the scan', () => {
  const part = fc.oneof(
    anyText,
    fc.constantFrom(...Object.values(BUILDS), ...ORDINARY),
    fc.constantFrom('"', "'", '`', '/', '\\', '\n', '{pathname:', 'popstate', 'pushState(', '//'),
    fc.constantFrom(...PATHS.map((path) => `/${path}`)),
  )
  test('finds the same each time, at a line that the text has', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const found = findScriptNeeds({ text, firstLine: 1 }, FILE)
        expect(findScriptNeeds({ text, firstLine: 1 }, FILE)).toEqual(found)
        expect(new Set(found.needs).size).toBe(found.needs.length)
        const lines = text.split('\n').length
        for (const { line } of found.warnings) {
          expect(line! >= 1 && line! <= lines).toBe(true)
        }
      }),
      runs(500),
    )
  })

  const seeds = [
    ...['"', '"/', '`/', '"/x', '"/data.jsonx"', '"/about.html"', ' ', '\n', '{pathname', 'm.f=["'],
    ...[
      '{pathname:a,search:b,hash:c',
      '{pathname ,search ,hash }= ',
      'popstate pushState( pathname ',
    ],
    ...[
      'new Worker(',
      'new Worker("',
      'location.pathname + ',
      '__vite__mapDeps return"/"',
      '*/ "/docs/"',
    ],
    ...['addEventListener( ', 'x'.repeat(500), `"/${'a/'.repeat(200)}"`],
  ]
  test.each(seeds)('takes time in proportion to the length: %j', (seed) => {
    const text = seed.repeat(Math.ceil(2_000_000 / seed.length))
    const spent = processorMs(() => findScriptNeeds({ text, firstLine: 1 }, FILE))
    expect(spent).toBeLessThan(2500)
  })

  test.each(attacks(200_000))('ends in hostile HTML: %s', (_name, bytes) => {
    const mime = 'text/html'
    const { facts } = releaseFile({ bytes, path: 'index.html', mime, deck: DECK, isEntry: true })
    expect(facts.needs_origin.length).toBeLessThanOrEqual(4)
  })
})
