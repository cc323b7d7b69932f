/** GET /pages/{id}/download: a deck as a zip, any other page as its file. */
import { expect, test } from 'bun:test'
import { parse } from 'content-disposition'
import { readZip } from '../src/client/content/zip.ts'
import { filesInZip } from '../src/testing/zip.ts'
import { sessionOf } from './app-session.ts'
import { type Answer, dataOf, other, type Page, pro, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { newOwner, own, signedIn } from './gates/setup.ts'
import { base64, html, pdf, png, sha256, word } from './material.ts'

const logo = png()
const CSS = 'p { color: red }'
const deckOf = (title: string) =>
  pro.publish({
    title,
    files: [
      { path: 'index.html', html: html('entry') },
      { path: 'parts/é ü.html', html: html('part') },
    ],
    assets: [
      { path: 'css/main.css', data_base64: base64(CSS) },
      { path: 'img/logo.png', data_base64: base64(logo) },
    ],
  })
const download = ({ id }: Page, query = '', by = pro) =>
  by.call('GET', `/pages/${id}/download${query}`)
const nameOf = ({ headers }: Answer) =>
  parse(headers.get('content-disposition')!).parameters.filename!
const contentsOf = async ({ bytes }: Answer) => {
  const files = Object.entries(await filesInZip(bytes))
  return Object.fromEntries(files.map(([path, content]) => [path, base64(content)]))
}

test('a deck is a zip of its files, byte for byte, and publishing it makes the same deck', async () => {
  const title = word('Deck')
  const page = await deckOf(title)
  const answer = await download(page)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(nameOf(answer)).toBe(`${title}.zip`)
  expect(await contentsOf(answer)).toEqual({
    'index.html': base64(html('entry')),
    'parts/é ü.html': base64(html('part')),
    'css/main.css': base64(CSS),
    'img/logo.png': base64(logo),
  })
  const local = await readZip('deck.zip', new Blob([answer.bytes as Uint8Array<ArrayBuffer>]))
  const again = await pro.publish({
    files: await Promise.all(
      local.pages.map(async ({ path, blob }) => ({ path, html: await blob.text() })),
    ),
    assets: await Promise.all(
      local.assets.map(async ({ path, blob }) => ({
        path,
        data_base64: base64(await blob.bytes()),
      })),
    ),
  })
  const files = async ({ id }: Page) =>
    dataOf<{ files: object[] }>(await pro.call('GET', `/pages/${id}/files`)).files
  expect(new Set(await files(again))).toEqual(new Set(await files(page)))
})

test('a download is of the draft, or of a version', async () => {
  const page = await deckOf(word('Versions'))
  await pro.update(page.id, { files: [{ path: 'new.html', html: html('new') }], assets: [] })
  expect(Object.keys(await contentsOf(await download(page)))).toEqual(['new.html'])
  const first = await download(page, '?version=1')
  expect(Object.keys(await contentsOf(first))).toHaveLength(4)
  expect(nameOf(first)).toBe(`${page.title} (version 1).zip`)
  expectRefusal(await download(page, '?version=9'), 404, 'version_not_found')
})

test('a single page is its HTML, and a PDF or image its file, each with its name', async () => {
  const title = word('Plan')
  const single = await download(await pro.publish({ html: html('one'), title }))
  expect(single.text).toBe(html('one'))
  expect([nameOf(single), single.headers.get('content-type')]).toEqual([
    `${title}.html`,
    'text/html; charset=utf-8',
  ])
  // It is hostile HTML on our own host: saved, never shown.
  expect(single.headers.get('content-disposition')).toStartWith('attachment')
  expect(single.headers.get('content-security-policy')).toContain('sandbox')
  const filename = `${word('bill')}.pdf`
  const file = await download(await pro.publish({ file_base64: base64(pdf()), filename }))
  expect(Buffer.from(file.bytes).equals(Buffer.from(pdf()))).toBe(true)
  expect([nameOf(file), file.headers.get('content-type')]).toEqual([filename, 'application/pdf'])
})

test('a title gives a name that every system can save', async () => {
  const cases: [title: string, name: string | null][] = [
    ['../../etc/passwd', 'etc passwd'],
    ['a/b\\c:d*e?"f"<g>|h', 'a b c d e f g h'],
    ['.. hidden.', 'hidden'],
    ['…é 日本', '…é 日本'],
    ['...', null],
  ]
  for (const [title, expected] of cases) {
    const page = await pro.publish({ html: html('x'), title })
    const answer = await download(page)
    expect(answer.status, title).toBe(200)
    expect(nameOf(answer), title).toBe(`${expected ?? page.slug}.html`)
    await pro.remove(page.id)
  }
})

test('nobody but the owner downloads a page', async () => {
  const page = await deckOf(word('Private'))
  expectRefusal(await download(page, '', other), 404, 'page_not_found')
  expectRefusal(await send(`/api/v1/pages/${page.id}/download`), 401)
})

own(
  'the link of the dashboard takes the session, and nothing that another site asks for',
  async () => {
    const owner = await newOwner()
    const page = await owner.publish({ html: html('mine'), title: word('Mine') })
    const path = `/app/pages/${page.id}/download`
    const cookie = sessionOf(await signedIn(owner.email))
    const get = (headers: Record<string, string>, address = path) => send(address, { headers })
    const mine = await get(cookie)
    expect([mine.status, mine.text]).toEqual([200, html('mine')])
    expect(nameOf(mine)).toBe(`${page.title}.html`)
    expect((await get(cookie, `${path}?version=x`)).status).toBe(400)
    expect((await get({ ...cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get({})).status).toBe(303)
    const foreign = await deckOf(word('Foreign'))
    expect((await get(cookie, `/app/pages/${foreign.id}/download`)).status).toBe(404)
  },
)

own(
  'the image in the list is kept by the browser while it is the same, for its owner alone',
  async () => {
    const owner = await newOwner()
    const bytes = png()
    const name = 'a b.png'
    const page = await owner.publish({
      file_base64: base64(bytes),
      filename: name,
      access: 'private',
    })
    const at = (more: object) =>
      `/app/pages/${page.id}/image?${new URLSearchParams({ name: page.file!.name, ...more })}`
    const cookie = sessionOf(await signedIn(owner.email))
    const path = at({ sha256: sha256(bytes) })
    const answer = await send(path, { headers: cookie })
    expect([answer.status, answer.bytes]).toEqual([200, bytes])
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('content-disposition')).toStartWith('attachment')
    for (const other of [at({}), at({ sha256: sha256(png()) })]) {
      const stale = await send(other, { headers: cookie })
      expect([stale.status, stale.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    }
    expect((await send(path)).status).toBe(303)
    expect(
      (await send(path, { headers: { ...cookie, 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403)
    const stranger = sessionOf(await signedIn((await newOwner()).email))
    expect((await send(path, { headers: stranger })).status).toBe(404)
  },
)
