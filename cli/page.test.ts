import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../src/client/index.ts'
import { parsePageName } from '../src/model/page-name.ts'
import { findPage, recordedPaths } from './page.ts'

const SERVER = 'http://localhost:8787'
const PAGE = { id: 'pg_1', slug: 'launch-plan', url: 'https://pages.example.com/p/launch-plan' }

/** Finds a page on a server that has one page, and records the requests. */
function find(name: string) {
  const requests: string[] = []
  const respond = async (url: unknown) => {
    const path = new URL(String(url)).pathname
    requests.push(path)
    if (path.endsWith(`/${PAGE.slug}`)) return Response.json({ data: PAGE })
    const error = { code: 'page_not_found', message: 'There is no such page in this account.' }
    return Response.json({ error }, { status: 404 })
  }
  const fetch = Object.assign(respond, { preconnect: () => {} }) as typeof globalThis.fetch
  const client = createClient({ baseUrl: SERVER, key: 'sm_1', fetch })
  const stored = findPage({ client, baseUrl: SERVER }, parsePageName(name))
  return stored.then((page) => ({ id: page?.id ?? null, requests }))
}

describe('findPage', () => {
  const names = ['launch-plan', PAGE.url, `${PAGE.url}/slides.html`, `${SERVER}/p/launch-plan`]
  test.each(names)('finds the page of %s in one request, without a list', async (name) => {
    expect(await find(name)).toEqual({ id: 'pg_1', requests: ['/api/v1/pages/launch-plan'] })
  })

  test('does not follow a link to another server, even with the same slug', async () => {
    expect((await find('https://other.example.com/p/launch-plan')).id).toBeNull()
    expect((await find('https://pages.example.com:8443/p/launch-plan')).id).toBeNull()
  })

  test('returns null for an unknown page, and sends no request for an impossible slug', async () => {
    expect((await find('nothing-like-it')).id).toBeNull()
    const impossible = ['', '..', 'a/b', 'a b', 'x'.repeat(64), `${SERVER}/app`, 'https://']
    for (const name of impossible)
      expect(await find(name), name).toEqual({ id: null, requests: [] })
  })
})

test('what was published is looked for in as many folders as allowed, the nearest first', () => {
  const root = mkdtempSync(join(tmpdir(), 'handbill-folders-'))
  for (const folder of ['.', 'a/far/off', 'b', 'z']) {
    mkdirSync(join(root, folder), { recursive: true })
    const text = JSON.stringify({ [SERVER]: { page: { id: PAGE.id, url: PAGE.url } } })
    writeFileSync(join(root, folder, '.handbill.json'), text)
  }
  const search = (...most: [] | [number]) =>
    recordedPaths(root, SERVER, ...most).paths.map(({ path }) => path)
  expect(search()).toEqual(['a/far/off/page', 'b/page', 'page', 'z/page'])
  expect([search(6).length, search(5), search(1)]).toEqual([
    4,
    ['b/page', 'page', 'z/page'],
    ['page'],
  ])
  rmSync(root, { recursive: true })
})
