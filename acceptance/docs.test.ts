/** The pages of /docs: links, search, and what browsers are told of them. */
import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { send } from './client.ts'
import { everyCase } from './expect.ts'
import { docsPages, document, LANGUAGES, textOf } from './reference.ts'
import { server } from './server.ts'

interface Entry {
  readonly url: string
  readonly title: string
  readonly page: string
  readonly text: string
}

const pages = await docsPages()

test('the guides and the reference are pages of their own', () => {
  for (const name of [
    '',
    '/guide',
    '/forms',
    '/mcp',
    '/cli',
    '/configuration',
    '/api',
    '/errors',
  ]) {
    expect(pages.get(`/docs${name}`), name).toContain('<h1>')
  }
  expect(pages.size).toBeGreaterThan(12)
  const titles = [...pages.values()].map((page) => /<title>([^<]+)/.exec(page)![1])
  expect(new Set(titles).size).toBe(pages.size)
})

test('every link and anchor in /docs leads somewhere', async () => {
  const others = new Map<string, number>()
  for (const [path, page] of pages) {
    for (const [, href = ''] of page.matchAll(/ href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), server.url + path)
      if (origin !== server.url) continue
      const target = pages.get(pathname)
      if (target === undefined) {
        const status = others.get(pathname) ?? (await send(pathname)).status
        others.set(pathname, status)
        expect(status, `${path}: ${href}`).toBeLessThan(400)
      } else if (hash !== '') {
        expect(target.split(` id="${hash.slice(1)}"`), `${path}: ${href}`).toHaveLength(2)
      }
    }
  }
  expect(others.size).toBeGreaterThan(3)
})

test('no page has an id twice', () => {
  for (const [path, page] of pages) {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.length - new Set(ids).size, path).toBe(0)
  }
})

test('every operation, tool and command is described once', async () => {
  const all = [...pages.values()].join('\n')
  const { operations } = await document()
  const tools = operations.flatMap(({ tools }) => tools)
  const anchors = [
    ...operations.map(({ operationId }) => operationId),
    ...tools.map((tool) => `tool-${tool}`),
    ...['publish', 'update', 'edit', 'responses', 'login', 'mcp'].map((name) => `command-${name}`),
  ]
  for (const anchor of anchors) expect(all.split(` id="${anchor}"`), anchor).toHaveLength(2)
})

test('all pages are linked, in their order, by previous and next', () => {
  const paths = [...pages.keys()]
  for (const [index, path] of paths.entries()) {
    const neighbour = (rel: string) =>
      new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(pages.get(path)!)?.[1]
    expect([path, neighbour('prev'), neighbour('next')]).toEqual([
      path,
      paths[index - 1],
      paths[index + 1],
    ])
  }
})

test('the guides have the address of this server in their examples', () => {
  expect(textOf(pages.get('/docs')!)).toContain(`handbill login ${server.url}`)
  expect(textOf(pages.get('/docs/mcp')!)).toContain(`${server.url}/mcp`)
  for (const path of ['/docs', '/docs/mcp', '/docs/cli', '/docs/guide']) {
    const commands = textOf(
      pages
        .get(path)!
        .match(/<pre[^>]*>.*?<\/pre>/gs)!
        .join('\n'),
    )
    expect(commands.replace(/"url": "[^"]*"/g, ''), path).not.toContain('pages.example.com')
  }
})

test('the code in every language has balanced quotes and brackets, and compiles', async () => {
  const transpiler = new Bun.Transpiler({ loader: 'js' })
  const codes = (language: string) =>
    [...pages.values()].flatMap((page) =>
      [...page.matchAll(new RegExp(`data-language="${language}"><code>(.*?)</code>`, 'gs'))].map(
        ([, code]) => textOf(code!),
      ),
    )
  for (const language of LANGUAGES) expect(codes(language).length, language).toBeGreaterThan(15)
  for (const code of codes('javascript')) transpiler.transformSync(code)
  const shell = Bun.spawn(['bash', '-n'], {
    stdin: new Blob([[...codes('curl'), ...codes('cli'), ...codes('mcp')].join('\n')]),
    stderr: 'pipe',
  })
  expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, ''])
  if (Bun.which('python3') === null) return
  const program = 'import sys, json\nfor code in json.load(sys.stdin): compile(code, "x", "exec")'
  const python = Bun.spawn(['python3', '-c', program], {
    stdin: new Blob([JSON.stringify(codes('python'))]),
    stderr: 'pipe',
  })
  expect([await python.exited, await new Response(python.stderr).text()]).toEqual([0, ''])
})

test('/docs/search.json has an entry for each page, section, code, tool, command and setting', async () => {
  const answer = await send('/docs/search.json')
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const entries = answer.json as Entry[]
  const { operations, errors } = await document()
  const urls = new Set(entries.map(({ url }) => url))
  expect(urls.size).toBe(entries.length)
  for (const path of pages.keys()) expect(urls).toContain(path)
  for (const { code } of errors) expect(urls).toContain(`/docs/errors#error-${code}`)
  for (const name of ['PORT', 'BASE_URL', 'LOG_LEVEL']) {
    expect(urls).toContain(`/docs/configuration#${name}`)
  }
  for (const { operationId, tools } of operations) {
    expect([...urls].filter((url) => url.endsWith(`#${operationId}`))).toHaveLength(1)
    for (const tool of tools) expect(urls).toContain(`/docs/mcp#tool-${tool}`)
  }
  for (const { url } of entries) {
    const [path = '', anchor] = url.split('#')
    expect(pages.get(path), url).toContain(anchor === undefined ? '<h1>' : ` id="${anchor}"`)
  }
})

test('/docs/search finds without a script, and escapes what was searched for', async () => {
  const answer = await send('/docs/search?q=max_views')
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('<mark>max_views</mark>')
  expect(answer.text).toContain('<a href="/docs/guide#access-and-settings">')
  expect(answer.text).toContain('value="max_views"')
  const hostile = await send(`/docs/search?q=${encodeURIComponent('"><script>x</script>')}`)
  expect(hostile.text).toContain('Nothing here contains')
  expect(hostile.text).not.toContain('<script>x')
  expect((await send('/docs/search')).text).toContain('Type what you look for')
  expect((await send(`/docs/search?q=${'a'.repeat(5000)}`)).status).toBe(200)
})

test('a page may run one script, and load styles, fonts and the index from this server', async () => {
  const { headers, text } = await send('/docs/api/pages')
  const policy = headers.get('content-security-policy')!
  expect(policy).toMatch(/default-src 'none'.*script-src 'sha256-[^']+'; .*frame-ancestors 'none'/)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
  expect(scripts).toHaveLength(1)
  const hash = new Bun.CryptoHasher('sha256').update(scripts[0]![1]!).digest('base64')
  expect(policy).toContain(`script-src 'sha256-${hash}'`)
  expect(text).not.toMatch(/ on\w+="| style="|https?:\/\/(?!localhost|127)[^"<]+"\s*(?:rel|src)/)
})

test('pages are compressed, and not sent again while they have not changed', async () => {
  const path = `${server.url}/docs/api/pages`
  const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } })
  const zipped = await fetch(path, { headers: { 'accept-encoding': 'gzip' }, decompress: false })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(zipped.headers.get('vary')).toBe('accept-encoding')
  const text = await plain.text()
  const bytes = new Uint8Array(await zipped.arrayBuffer())
  expect(new TextDecoder().decode(gunzipSync(bytes))).toBe(text)
  expect(bytes.length).toBeLessThan(text.length / 4)
  const etag = plain.headers.get('etag')!
  expect(zipped.headers.get('etag')).not.toBe(etag)
  const again = await fetch(path, {
    headers: { 'accept-encoding': 'identity', 'if-none-match': etag },
  })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('an address with a slash at its end leads to the page, and an unknown one is 404', async () => {
  await everyCase<readonly [number, string | null]>(
    [
      ['/docs/', [301, '/docs']],
      ['/docs/api/pages/', [301, '/docs/api/pages']],
      ['/docs/nothing', [404, null]],
      ['/docs/api/nothing', [404, null]],
      ['/docs//evil.example/', [404, null]],
    ],
    async (expected, path) => {
      const { status, headers } = await send(path)
      expect([status, headers.get('location')]).toEqual([...expected])
    },
  )
})
