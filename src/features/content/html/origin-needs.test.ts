import { describe, expect, test } from 'bun:test'
import { releaseFile } from '../release-file.ts'
import { findScriptNeeds } from './origin-needs.ts'

const PATHS = new Set([
  ...['index.html', 'about.html', 'docs/index.html', 'data.json', 'é b.png', 'worker.js'],
  ...['assets/hero-1.png', '_next/a.js'],
])
const DECK = { paths: PATHS, entry: 'index.html' }

const needsOf = (text: string, paths: typeof PATHS | null = PATHS) => {
  const { needs, warnings } = findScriptNeeds({ text, firstLine: 1 }, paths)
  return [needs.join(' '), warnings.map((each) => `${each.code} ${each.subject}`).join()]
}

describe('a script needs an origin', () => {
  test.each([
    ['fetch("/data.json")', 'root_paths', 'root_address /data.json'],
    ['img.src = "/%C3%A9%20b.png?v=2"', 'root_paths', 'root_address /%C3%A9%20b.png?v=2'],
    ['l=n(),d=`/assets/hero-1.png`,f=1', 'root_paths', 'root_address /assets/hero-1.png'],
    ['let t="/_next/",r=new Set', 'root_paths', 'root_address /_next/'],
    ['new SharedWorker("./worker.js?x")', 'worker', 'needs_origin SharedWorker'],
    ['n.serviceWorker.register("sw.js")', 'worker', 'needs_origin A service worker'],
    ['indexedDB.open("notes")', 'storage', 'needs_origin IndexedDB'],
    ['await caches.open("v1")', 'storage', 'needs_origin CacheStorage'],
    ['n.storage.getDirectory()', 'storage', 'needs_origin The private file system'],
    ['navigator.locks.request("a", f)', 'storage', 'needs_origin Web Locks'],
    ['config={mode:"same-origin"}', 'storage', 'needs_origin A request of the mode same-origin'],
    ['n=window.open(`about:blank`,`reveal.js - Notes`,`w`)', 'window', 'speaker_window '],
    ['null==(c=t.open("","impressConsole"))', 'window', 'speaker_window '],
  ])('%s: %s', (text, needs, warning) => {
    expect(needsOf(text)).toEqual([needs, warning])
  })

  test('for shared memory where headers ask for it: elsewhere no page has it', () => {
    const text = 'new SharedArrayBuffer(8)'
    expect(needsOf(text)).toEqual(['', ''])
    expect(needsOf(text, new Set(['index.html', '_headers']))).toEqual([
      'worker',
      'needs_origin SharedArrayBuffer',
    ])
  })

  test('for no address of a file where it is a single page', () => {
    expect(needsOf('fetch("/data.json")', null)).toEqual(['', ''])
  })

  test('also inline, at its line, once for each file', () => {
    const script = '<script>\nfetch("/data.json")\nlet a = "/_next/", b = "/assets/"\n</script>'
    const { facts } = releaseFile({
      bytes: Buffer.from(`<!doctype html><meta name=viewport>\n${script}${script}`),
      path: 'index.html',
      mime: 'text/html',
      deck: DECK,
      isEntry: true,
    })
    expect(facts.origin?.needs).toEqual(['root_paths'])
    expect(facts.warnings).toEqual([{ code: 'root_address', line: 3, subject: '/data.json' }])
  })
})

test.each([
  'fetch("data.json").then((r) => r.json())',
  'fetch("https://api.example.com/data.json")',
  'const pages = ["/about.html", "/docs/"]',
  'if (path === "/data.json") mark()',
  'const file = folder + "/data.json"',
  '// fetch("/data.json")',
  '/**\n * Reads "/data.json".\n */\nfunction read() {}',
  'new Worker("worker.js"); context.audioWorklet.addModule("worker.js")',
  'localStorage.theme = "dark"',
  'w = window.open("", "print"); w.document.write(html); w.print()',
  'switch (p) { case "/data.json": break }',
  `var base_path = 'function' === typeof importScripts ? '.' : '/assets/'`,
  'path.endsWith("/data.json") || path.startsWith( `/_next/`) || url.includes("/assets/")',
])('an ordinary script needs none: %s', (text) => {
  expect(needsOf(text)).toEqual(['', ''])
})

const VUE = 'let{pathname:n,hash:i}=t,a=e.indexOf(`#`);h[r?`replaceState`:`pushState`](a,``,c)'

test.each([
  ['history.pushState(0, "", to); show(location.pathname)', true],
  ['history.pushState(0, "", to); show(location.pathname + location.hash)', false],
  ['history.pushState(0, "", location.pathname + query)', false],
  ['addEventListener("hashchange", f); pushState(0, "", location.pathname)', false],
  [VUE, true],
  [`${VUE};location.host||(e+="#")`, false],
])('a router reads its route from the path, and not from the fragment: %s', (text, readsPath) => {
  const { router } = findScriptNeeds({ text, firstLine: 1 }, PATHS)
  expect(router).toEqual({ line: 1, reads_path: readsPath })
})
