import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { createPublicResolve, type Resolve, resolveLocal } from './address.ts'
import { createFetch, expectFailed } from './testing/create-fetch.ts'
import { PUBLIC_V4, PUBLIC_V6 } from './testing/internet.ts'
import { type NameServer, nameServer } from './testing/name-server.ts'

let server: NameServer
let resolve: Resolve
beforeAll(async () => {
  server = await nameServer({
    'both.handbill.test': { A: [PUBLIC_V4, '127.0.0.1'], AAAA: [PUBLIC_V6] },
    'half.handbill.test': { A: [PUBLIC_V4], AAAA: 'servfail' },
    'none.handbill.test': {},
    'inside.handbill.test': { A: ['127.0.0.1'] },
    'silent.handbill.test': { A: 'silent', AAAA: 'silent' },
  })
  resolve = createPublicResolve([server.address])
})
beforeEach(() => {
  server.questions.length = 0
})
afterAll(() => server.close())

const addressesOf = async (name: string, signal = new AbortController().signal) =>
  (await resolve(name, signal)).map(({ address }) => address)

test('finds every address of both families, including private ones', async () => {
  expect(await addressesOf('both.handbill.test')).toEqual([PUBLIC_V4, '127.0.0.1', PUBLIC_V6])
})

test('finds the addresses of one family when the query for the other fails', async () => {
  expect(await addressesOf('half.handbill.test')).toEqual([PUBLIC_V4])
})

test('finds nothing for a name that has no address or does not exist', async () => {
  expect(await addressesOf('none.handbill.test')).toEqual([])
  expect(await addressesOf('unknown.handbill.test')).toEqual([])
})

test('queries a public name as it is written and does not read the hosts file', async () => {
  expect(await addressesOf('localhost')).toEqual([])
  expect(server.questions.sort()).toEqual(['A localhost', 'AAAA localhost'])
})

test('finds an allowed name in the hosts file', async () => {
  const addresses = (await resolveLocal('localhost')).map(({ address }) => address)
  expect(['127.0.0.1', '::1']).toContain(addresses[0] ?? '')
  expect(server.questions).toEqual([])
})

test('a silent name server delays no file read, and an abort ends the queries', async () => {
  const controller = new AbortController()
  const waiting = Array.from({ length: 64 }, () =>
    addressesOf('silent.handbill.test', controller.signal),
  )
  while (server.questions.length < 128) await Bun.sleep(1)
  const started = performance.now()
  await readFile(import.meta.path)
  controller.abort()
  expect((await Promise.all(waiting)).flat()).toEqual([])
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a fetch fails in the same way after a private answer and after no answer', async () => {
  const timeouts = { dnsMs: 100 }
  const dialled: unknown[] = []
  const get = createFetch({
    resolve,
    timeouts,
    transport: (dial) => {
      dialled.push(dial)
      return Promise.reject(new Error('Nothing may be connected to here.'))
    },
  })
  for (const name of ['inside', 'both', 'silent', 'none', 'unknown']) {
    await expectFailed(get(`https://${name}.handbill.test/`))
  }
  expect(dialled).toEqual([])
})
