import { expect, test } from 'bun:test'
import {
  type Answer,
  browser,
  type Page,
  pro,
  programWithCookies,
  send,
  visitor,
} from './client.ts'
import { everyCase, expectContentHeaders } from './expect.ts'
import { base64, pdf, png, word } from './material.ts'

const fromViewer = {
  ...browser,
  accept: '*/*',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

function publishFile(bytes: Uint8Array, extension: string, more: Record<string, unknown> = {}) {
  return pro.publish({
    file_base64: base64(bytes),
    filename: `${word('file')}.${extension}`,
    ...more,
  })
}

/** The paths below the page that the viewer loads. */
function inside(viewer: Answer, page: Page): string[] {
  const matches = viewer.text.matchAll(/["'=](\/p\/[^"'\s>]+)/g)
  const paths = new Set([...matches].map(([, path]) => path!.replaceAll('&amp;', '&')))
  return [...paths].filter((path) => path.startsWith(`/p/${page.slug}/`))
}

/** The path from which the viewer loads the file. */
async function fileAddress(page: Page): Promise<string> {
  const viewer = await visitor.open(page.slug, browser)
  expect(viewer.headers.get('content-type')).toMatch(/^text\/html/)
  const [address] = inside(viewer, page).filter((path) => !path.includes('?'))
  expect(address, 'the viewer names the file').toBeDefined()
  return address!
}

function isFile(answer: Answer, bytes: Uint8Array): boolean {
  return answer.status === 200 && Buffer.from(answer.bytes).equals(Buffer.from(bytes))
}

test('a viewer and what it loads are one view, also at the view limit', async () => {
  for (const [bytes, extension] of [
    [pdf(), 'pdf'],
    [png(), 'png'],
  ] as const) {
    const page = await publishFile(bytes, extension, { max_views: 1 })
    const program = programWithCookies()
    const viewer = await program.open(`/p/${page.slug}`, browser)
    expect(viewer.status).toBe(200)
    const addresses = inside(viewer, page)
    expect(addresses.length, 'the viewer loads the file').toBeGreaterThan(0)
    for (const address of addresses) {
      const answer = await program.open(address, fromViewer)
      expect(isFile(answer, bytes), address).toBe(true)
      const part = await program.open(address, { ...fromViewer, range: 'bytes=0-9' })
      expect(part.status).toBe(206)
    }
    expect((await pro.page(page.id)).views).toBe(1)
    expect((await visitor.open(page.slug)).status).toBe(410)
  }
})

test('the file’s address in a viewer serves it with the isolation headers, uncounted', async () => {
  const bytes = pdf()
  const page = await publishFile(bytes, 'pdf')
  const address = await fileAddress(page)
  const { views } = await pro.page(page.id)
  const answer = await send(address, { headers: fromViewer })
  expect(isFile(answer, bytes)).toBe(true)
  expectContentHeaders(answer, 'inert')
  expect(answer.headers.get('content-disposition')).toMatch(/^inline\b/)
  expect((await pro.page(page.id)).views).toBe(views)
})

test('the file’s address in a viewer, opened as a top document, redirects to the page', async () => {
  const page = await publishFile(pdf(), 'pdf')
  const address = await fileAddress(page)
  const answer = await send(address, { headers: browser })
  expect([301, 302, 303, 307, 308]).toContain(answer.status)
  const target = new URL(answer.headers.get('location')!, page.url)
  expect(target.pathname).toBe(`/p/${page.slug}`)
  expect(answer.text).not.toContain('%PDF')
})

test('an altered frame token, or that of another page, answers 404', async () => {
  const bytes = pdf()
  const page = await publishFile(bytes, 'pdf')
  const stranger = await publishFile(pdf('stranger'), 'pdf')
  const address = await fileAddress(page)
  const [, slug, cap, name] = /^\/p\/([^/]+)\/(~[^/]+)\/(.+)$/.exec(address) ?? []
  expect(slug).toBe(page.slug)
  const middle = cap!.length - 10
  const flipped = cap![middle] === 'a' ? 'b' : 'a'
  const altered = cap!.slice(0, middle) + flipped + cap!.slice(middle + 1)
  await everyCase(
    [
      ['altered', `/p/${slug}/${altered}/${name}`],
      ['cut', `/p/${slug}/${cap!.slice(0, -1)}/${name}`],
      ['empty', `/p/${slug}/~/${name}`],
      ['for another page', `/p/${stranger.slug}/${cap}/${name}`],
    ] as const,
    async (path) => {
      const answer = await send(path, { headers: fromViewer })
      expect(answer.status).toBeGreaterThanOrEqual(300)
      expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toContain('%PDF')
    },
  )
})

test('unpublishing, expiry, a change of access and deletion end the address in a viewer', async () => {
  const changes: [string, (page: Page) => Promise<unknown>][] = [
    ['unpublished', (page) => pro.unpublish(page.id)],
    ['expired', (page) => pro.update(page.id, { expires_at: '2020-01-01T00:00:00Z' })],
    ['private', (page) => pro.update(page.id, { access: 'private' })],
    ['password', (page) => pro.update(page.id, { access: 'password' })],
    ['deleted', (page) => pro.remove(page.id)],
  ]
  await everyCase(changes, async (change) => {
    const page = await publishFile(pdf(), 'pdf')
    const address = await fileAddress(page)
    await change(page)
    const answer = await send(address, { headers: fromViewer })
    expect(answer.status).toBeGreaterThanOrEqual(300)
    expect(answer.text).not.toContain('%PDF')
  })
  const page = await publishFile(pdf(), 'pdf')
  const address = await fileAddress(page)
  await pro.update(page.id, { access: 'private' })
  await pro.update(page.id, { access: 'link' })
  const answer = await send(address, { headers: fromViewer })
  expect(answer.text, 'earlier frame tokens stay invalid').not.toContain('%PDF')
})

test('a view-only file is never sent as a download', async () => {
  const page = await publishFile(pdf(), 'pdf', { download_disabled: true })
  const address = await fileAddress(page)
  for (const path of [address, `${address}?download`, `${address}?download=1`]) {
    const answer = await send(path, { headers: fromViewer })
    expect(answer.headers.get('content-disposition') ?? 'inline', path).toMatch(/^inline\b/)
  }
  for (const query of ['?download', '?download=1']) {
    const answer = await send(`/p/${page.slug}${query}`)
    expect(answer.headers.get('content-disposition') ?? 'inline', query).toMatch(/^inline\b/)
  }
})

test('a viewer runs only the service’s own scripts', async () => {
  const page = await publishFile(pdf(), 'pdf')
  const viewer = await visitor.open(page.slug, browser)
  const policy = viewer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src [^;]*'nonce-/)
  expect(policy).not.toMatch(/script-src[^;]*('self'|'unsafe-inline')/)
  expect(policy).not.toMatch(/allow-same-origin|allow-top-navigation/)
  expect(viewer.headers.get('cache-control') ?? '').toMatch(/no-store|no-cache/)
  for (const asset of new Set([...viewer.text.matchAll(/(?:src|href)="(\/~\/[^"]+)"/g)])) {
    expect((await send(asset[1]!)).status, asset[1]).toBe(200)
  }
})
