import { describe, expect, test } from 'bun:test'
import { sha256 } from '../../platform/ids.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { contentWork } from '../../testing/threads.ts'
import { scanHtml } from './html/scan.ts'
import { prepareRelease, RELEASE_FORMAT } from './release.ts'
import { type SourceFile, stage } from './staging.ts'

/** The release of files by path; the last one is the entry. */
const releaseOf = async (texts: Record<string, string>) => (await preparedOf(texts)).release

/** The texts of the files that are released, in their order. */
async function textsOf(texts: Record<string, string>): Promise<Record<string, string>> {
  const { release, newBlobs } = await preparedOf(texts)
  return Object.fromEntries(
    release.files.map(({ path, hash }) => [path, Buffer.from(newBlobs.get(hash)!).toString()]),
  )
}

async function preparedOf(texts: Record<string, string>) {
  const files = Object.entries(texts).map(([path, text]): SourceFile => {
    return { path, mime: mimeOf(path), bytes: Buffer.from(text), hash: sha256(text) }
  })
  const kind = files.length === 1 ? 'single' : 'bundle'
  const staged = stage({ kind, entry: files.at(-1)!.path, files })
  return prepareRelease(staged, {
    work: contentWork,
    async putAhead() {},
    async readBlob(hash) {
      throw new Error(`${hash} is a new blob`)
    },
  })
}

function mimeOf(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript; charset=utf-8'
  if (path.endsWith('.css')) return 'text/css; charset=utf-8'
  if (path.endsWith('.svg')) return 'image/svg+xml'
  return path.endsWith('.html') ? 'text/html; charset=utf-8' : 'application/octet-stream'
}

test('a script in an SVG that a page embeds is warned of by its line', async () => {
  const { warnings } = await releaseOf({
    'chart.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n<script>draw()</script></svg>',
    'other.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>draw()</script></svg>',
    'index.html': '<meta name=viewport content="width=device-width"><embed src=chart.svg>',
  })
  expect(warnings.map(({ code, path, line }) => [code, path, line])).toEqual([
    ['needs_origin', 'chart.svg', 2],
  ])
})

describe('the fields of a release', () => {
  test('are those of all its HTML files, the entry’s first', async () => {
    const { controls, files } = await releaseOf({
      'a.html': '<form data-service><input name=x type=number data-label=X><input name=y></form>',
      'b.css': '<form data-service><input name=css>',
      'c.js': '"<form data-service><input name=js>"',
      'index.html': '<form data-service><input name=z><input name=x type=range></form>',
    })
    expect(controls).toEqual([
      { name: 'z', label: null, kind: 'text' },
      { name: 'x', label: 'X', kind: 'number' },
      { name: 'y', label: null, kind: 'text' },
    ])
    expect(JSON.stringify(files)).not.toContain('controls')
  })

  test('of the same name have the kind that the entry gives them', async () => {
    const form = (type: string) => `<form data-service><input name=x type=${type}></form>`
    const texts = { 'a.html': form('number'), 'index.html': form('checkbox') }
    expect((await releaseOf(texts)).controls).toEqual([{ name: 'x', label: null, kind: 'boolean' }])
  })

  test('are at most two thousand', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 6 }, (_, file) => {
        const inputs = Array.from({ length: 600 }, (_, n) => `<input name=f${file}n${n}>`)
        return [`${file}.html`, `<form data-service>${inputs.join('')}</form>`]
      }),
    )
    const { controls } = await releaseOf(texts)
    expect(controls).toHaveLength(2000)
    expect(controls[0]!.name).toBe('f5n0')
  })
})

test('an app is warned of its routes where a copy of its document is its 404.html', async () => {
  const texts = {
    'a.js': 'show(location.pathname); history.pushState(0, "", to)',
    '404.html': '<script src=./a.js></script>',
    'index.html': '<script src=./a.js></script>',
  }
  const { warnings } = await releaseOf(texts)
  expect(warnings.map(({ code, path }) => [code, path])).toContainEqual(['root_router', 'a.js'])
  const two = await releaseOf({ 'b.html': texts['404.html'], ...texts })
  expect(two.warnings.map(({ code }) => code)).not.toContain('root_router')
})

test('a script and a style sheet without a type in their names have that of their use', async () => {
  const { files } = await releaseOf({
    'a_files/saved_resource': 'x',
    'a_files/vue@3': 'x',
    'a_files/b': 'x',
    'a.html':
      '<script src="./a_files/saved_resource"></script><link rel=stylesheet href=a_files/vue%403>',
  })
  expect(files.map(({ mime }) => mime)).toEqual([
    'text/javascript',
    'text/css',
    'application/octet-stream',
    'text/html; charset=utf-8',
  ])
})

test('images get crossorigin where any script of the deck reads pixels', async () => {
  const img = '<img src="a.png">'
  const page = (script: string) => ({ 'a.html': img, 'index.html': img, 'z.js': script })
  const texts = await textsOf(page('pen.getImageData(0, 0, 1, 1)'))
  expect(texts).toMatchObject({ 'a.html': '<img crossorigin=own src="a.png">' })
  expect(Object.keys(texts)).toEqual(['a.html', 'index.html', 'z.js'])
  expect(await textsOf(page('pen.drawImage(image, 0, 0)'))).toMatchObject({ 'a.html': img })
})

test('an address from the root that several chunks name is warned of once', async () => {
  const chunk = 'x = y.map((z) => [z, "/img/a.css"])'
  const { warnings } = await releaseOf({
    'a.js': chunk,
    'a.lean.js': chunk,
    'b.js': chunk.replace('a.css', 'b.css'),
    'img/a.css': '',
    'img/b.css': '',
    'docs/a.html': '<script src="../a.js"></script>',
    'index.html': '<script src="a.js"></script>',
  })
  expect(warnings.map(({ code, path, subject }) => [code, path, subject])).toEqual([
    ['root_address', 'a.js', '/img/a.css'],
    ['root_address', 'b.js', '/img/b.css'],
  ])
})

describe('the files that need the runtime', () => {
  const NONE = '<p>Only text about Service.submit() and data-service.'
  test.each<[string, Record<string, string>, string[]]>([
    ['a page with a form', { 'index.html': '<form data-service>' }, ['index.html']],
    ['a page with a form of another kind', { 'index.html': '<form>' }, []],
    [
      'the files of a deck that have one',
      { 'a.html': '<script>Service.submit(1)</script>', 'b.css': '', 'index.html': NONE },
      ['a.html'],
    ],
    [
      'all HTML of a deck with a script that submits',
      { 'a.html': NONE, 'b.css': '', 'c.js': 'Service.submit(1)', 'index.html': NONE },
      ['a.html', 'index.html'],
    ],
    [
      'all HTML of a deck with a script that makes a form',
      { 'c.js': 'h("form", {"data-service": ""})', 'index.html': NONE },
      ['index.html'],
    ],
    [
      'those of a deck with a form whose scripts may show it in their document',
      {
        'a.html': '<script src="htmx.js"></script>',
        'b.html': NONE,
        'htmx.js': '',
        'index.html': '<form data-service>',
      },
      ['a.html', 'index.html'],
    ],
    ['none for another script', { 'c.js': 'form.submit()', 'index.html': NONE }, []],
    ['none for a style', { 'c.css': '[data-service] {}', 'index.html': NONE }, []],
  ])('%s', async (_, texts, expected) => {
    const { files, collects_responses } = await releaseOf(texts)
    expect(files.filter((file) => file.needs_runtime).map(({ path }) => path)).toEqual(expected)
    expect(collects_responses).toBe(expected.length > 0)
  })
})

for (const engine of ENGINES) {
  test.each([
    ['the format before', { format: RELEASE_FORMAT - 1 }],
    ['version 0.1', { format: undefined, made_by: 2 }],
  ])(`a release of %s is made again when it is read, on ${engine}`, async (_name, format) => {
    await using app = await testApp(engine)
    const owner = await app.owner()
    const html = '<form data-service><input name=a></form>'
    const { slug } = await owner.publish(html)
    const [manifest] = await app.rows('manifests')
    const made = JSON.parse(manifest!.release!)
    expect(made).toMatchObject({ format: RELEASE_FORMAT, controls: [{ name: 'a' }] })
    const { controls: _, ...older } = { ...made, ...format }
    await app.database.write((tx) =>
      tx
        .updateTable('manifests')
        .set({ release: JSON.stringify(older) })
        .execute(),
    )
    expect(await (await app.open(`/p/${slug}`)).text()).toContain('<input name=a>')
    const rows = await app.rows('manifests')
    expect(rows.map(({ release }) => JSON.parse(release!))).toEqual([made])
  })
}

test('facts with places are those of the rewritten file', async () => {
  const head = '<!doctype html><html data=x><head><link href=/a.css><meta name=og:title content=A>'
  const body =
    '<img src=/b.png srcset="/b.png 1x"><meta property=og:image content=/b.png><a href=/é.html>'
  const files = {
    'a.css': '',
    'b.png': '',
    'é.html': '',
    'c/d.html': head + body,
    'index.html': 'x',
  }
  const { release, newBlobs } = await preparedOf(files)
  const { html, hash } = release.files.find(({ path }) => path === 'c/d.html')!
  const { head_offset, preview_spans } = scanHtml(newBlobs.get(hash)!)
  expect(hash).not.toBe(sha256(head + body))
  expect(html).toMatchObject({ head_offset, preview_spans })
  expect(preview_spans).toHaveLength(2)
})
