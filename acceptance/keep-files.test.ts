/** An update of a deck that sends only what changed, and GET /pages/{id}/files. */
import { afterAll, expect, test } from 'bun:test'
import { dataOf, type Fields, other, type Page, pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { base64, html, pdf, png, sha256, word } from './material.ts'
import { type Agent, agent } from './mcp-client.ts'
import { server } from './server.ts'

const CSS = 'p { color: red }'
const logo = png()
const deck = () =>
  pro.publish({
    files: [
      { path: 'index.html', html: html('entry') },
      { path: 'team.html', html: html('team') },
    ],
    assets: [
      { path: 'css/main.css', data_base64: base64(CSS) },
      { path: 'logo.png', data_base64: base64(logo) },
    ],
  })

interface Listed {
  kind: string
  entry: string
  files: { path: string; type: string; size_bytes: number; hash: string }[]
}
const filesOf = async ({ id }: Page, query = '', by = pro) =>
  dataOf<Listed>(await by.call('GET', `/pages/${id}/files${query}`))
const hashes = async (page: Page) =>
  Object.fromEntries((await filesOf(page)).files.map(({ path, hash }) => [path, hash]))
const keeping = (path: string, keep = path) => ({ path, keep })

test('an update of a deck keeps the bytes of files that it names, under other names as well', async () => {
  const page = await deck()
  const updated = await pro.update(page.id, {
    files: [
      { path: 'index.html', html: html('changed') },
      keeping('people/team.html', 'team.html'),
    ],
    assets: [
      keeping('logo.png'),
      keeping('img/icon.png', 'logo.png'),
      { path: 'css/main.css', data_base64: base64('p { color: blue }') },
    ],
  })
  expect(updated).toMatchObject({ has_unpublished_changes: true, file_count: 2 })
  expect(await hashes(page)).toEqual({
    'index.html': sha256(html('changed')),
    'people/team.html': sha256(html('team')),
    'logo.png': sha256(logo),
    'img/icon.png': sha256(logo),
    'css/main.css': sha256('p { color: blue }'),
  })
  expect(await (await fetch(`${page.url}/team.html`)).text()).toContain('team')
  await pro.goLive(page.id)
  const icon = await fetch(`${page.url}/img/icon.png`)
  expect(Buffer.from(await icon.arrayBuffer()).equals(Buffer.from(logo))).toBe(true)
})

test('a file that is kept under another extension has the type of that', async () => {
  const page = await deck()
  const files = [keeping('index.html')]
  await pro.update(page.id, { files, assets: [keeping('main.json', 'css/main.css')] })
  const [, asset] = (await filesOf(page)).files
  expect(asset).toMatchObject({ type: 'application/json; charset=utf-8', hash: sha256(CSS) })
  await pro.update(page.id, { files, assets: [keeping('main.sqlite', 'main.json')] })
  const [, other] = (await filesOf(page)).files
  expect(other).toMatchObject({ type: 'application/octet-stream', hash: sha256(CSS) })
})

test('what cannot be kept is refused, and nothing is written', async () => {
  const page = await deck()
  const elsewhere = await pro.publish({ files: [{ path: 'other.html', html: html('other') }] })
  const before = await hashes(page)
  const index = keeping('index.html')
  const cases: [name: string, code: string, fields: Fields][] = [
    ['no such page', 'file_not_found', { files: [index, keeping('x.html')] }],
    ['no such asset', 'file_not_found', { files: [index], assets: [keeping('x.png')] }],
    ['a file of another page', 'file_not_found', { files: [index, keeping('other.html')] }],
    ['an asset as a page', 'file_not_found', { files: [index, keeping('a.html', 'logo.png')] }],
    [
      'a page as an asset',
      'file_not_found',
      { files: [index], assets: [keeping('a.png', 'team.html')] },
    ],
    ['a path out of the deck', 'bad_path', { files: [index, keeping('a.html', '../index.html')] }],
    ['two sources', 'invalid_parameter', { files: [{ ...index, html: html('x') }] }],
    ['no source', 'invalid_parameter', { files: [{ path: 'index.html' }] }],
    ['the same path twice', 'duplicate_path', { files: [index, index] }],
  ]
  await everyCase(
    cases.map(([name, code, fields]) => [name, { code, fields }] as const),
    async ({ code, fields }) => {
      expectRefusal(await pro.patch(page.id, fields), 400, code)
    },
  )
  expect(await hashes(page)).toEqual(before)
  expect(await pro.versions(page.id)).toHaveLength(1)
  expect(await hashes(elsewhere)).toEqual({ 'other.html': sha256(html('other')) })
})

test('a new page has nothing to keep', async () => {
  const files = [{ path: 'index.html', html: html('x') }, keeping('a.html', 'index.html')]
  expectRefusal(await pro.create({ files }), 400, 'unknown_parameter')
})

test('with If-Match, an update keeps files of the draft that was read or writes nothing', async () => {
  const page = await deck()
  const { headers } = await pro.call('GET', `/pages/${page.id}/files`)
  const ifMatch = { 'if-match': headers.get('etag')! }
  const files = [{ path: 'index.html', html: html('mine') }]
  const theirs = [keeping('index.html'), keeping('team.html')]
  await pro.update(page.id, { files: theirs, assets: [keeping('logo.png')] })
  const refused = await pro.patch(page.id, { files, assets: [keeping('logo.png')] }, ifMatch)
  expectRefusal(refused, 412, 'precondition_failed')
  expect((await hashes(page))['index.html']).toBe(sha256(html('entry')))
})

test('GET files lists the files of the draft or of a version, for the owner alone', async () => {
  const page = await deck()
  await pro.update(page.id, { files: [keeping('team.html')], assets: [] })
  expect(await filesOf(page)).toEqual({
    kind: 'bundle',
    entry: 'team.html',
    files: [
      {
        path: 'team.html',
        type: 'text/html; charset=utf-8',
        size_bytes: Buffer.byteLength(html('team')),
        hash: sha256(html('team')),
      },
    ],
  })
  expect((await filesOf(page, '?version=1')).files.map(({ path }) => path)).toEqual([
    'index.html',
    'team.html',
    'css/main.css',
    'logo.png',
  ])
  const filename = `${word('plan')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename })
  expect(await filesOf(file)).toMatchObject({
    kind: 'single',
    entry: filename,
    files: [{ path: filename, type: 'application/pdf', hash: sha256(pdf()) }],
  })
  expectRefusal(
    await pro.call('GET', `/pages/${page.id}/files?version=9`),
    404,
    'version_not_found',
  )
  expectRefusal(await other.call('GET', `/pages/${page.id}/files`), 404, 'page_not_found')
})

/** A server before the server, which notes what is sent to it. */
function recorder() {
  const sent: { operation: string; body: string }[] = []
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.text()
      if (request.method !== 'GET') sent.push({ operation: `${request.method} ${pathname}`, body })
      const headers = new Headers(request.headers)
      headers.delete('accept-encoding')
      const init = { method: request.method, headers, ...(body !== '' && { body }) }
      return fetch(server.url + pathname + search, init)
    },
  })
  proxies.push(proxy)
  return { url: `http://127.0.0.1:${proxy.port}`, sent }
}
const proxies: Bun.Server<undefined>[] = []
afterAll(() => {
  for (const proxy of proxies) void proxy.stop(true)
})

test('the command line sends only the files of a deck that changed', async () => {
  const { url, sent } = recorder()
  const shell = shellOf()
  shell.write('site/index.html', html('start'))
  shell.write('site/about.html', html('about'))
  shell.write('site/logo.png', logo)
  const env = { HANDBILL_URL: url }
  const publish = async () => {
    sent.length = 0
    const { code, stderr } = await shell.runWith({ env }, 'publish', 'site')
    expect(code, stderr).toBe(0)
  }
  await publish()
  shell.write('site/index.html', html('changed'))
  await publish()
  const [update, published] = sent
  expect(JSON.parse(update!.body)).toEqual({
    files: [keeping('about.html'), { path: 'index.html', html: html('changed') }],
    assets: [keeping('logo.png')],
  })
  expect(published!.operation).toMatch(/^POST .*\/publish$/)
  const id = /pg_\w+/.exec(update!.operation)![0]
  const page = dataOf<Page>(await pro.call('GET', `/pages/${id}`))
  expect(await hashes(page)).toEqual({
    'index.html': sha256(html('changed')),
    'about.html': sha256(html('about')),
    'logo.png': sha256(logo),
  })
  expect(await (await fetch(page.url)).text()).toContain('changed')
})

test('update_page with local_path sends only the files of a deck that changed', async () => {
  const { url, sent } = recorder()
  const shell = shellOf()
  shell.write('site/index.html', html('start'))
  shell.write('site/about.html', html('about'))
  shell.write('site/logo.png', logo)
  await using it = await agent('stdio', { url, cwd: shell.folder })
  const { id } = (await called(it, 'publish_page', { local_path: 'site' })).data
  const { etag } = await called(it, 'get_page', { page_id: id })
  shell.write('site/index.html', html('changed'))
  sent.length = 0
  const update = { page_id: id, local_path: 'site', if_match: etag }
  const { received, data } = await called(it, 'update_page', update)
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
    {
      files: [keeping('about.html'), { path: 'index.html', html: html('changed') }],
      assets: [keeping('logo.png')],
    },
  ])
  expect(received.files).toMatchObject([{ path: 'index.html', sha256: sha256(html('changed')) }])
  expect(await hashes(data)).toEqual({
    'index.html': sha256(html('changed')),
    'about.html': sha256(html('about')),
    'logo.png': sha256(logo),
  })

  sent.length = 0
  const late = await it.call('update_page', update)
  expect([late.isError, late.json.error.code]).toEqual([true, 'precondition_failed'])
  expect(sent).toHaveLength(1)
})

async function called(it: Agent, tool: string, args: object) {
  const { isError, text, json } = await it.call(tool, args)
  expect(isError, text).toBe(false)
  return json
}
