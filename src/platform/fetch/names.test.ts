import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { createPublicResolve, type Resolve, resolveLocal } from './names.ts'
import { expectFailed, fetching } from './testing/fetching.ts'
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

test('every address of both families is found, private ones too', async () => {
  expect(await addressesOf('both.handbill.test')).toEqual([PUBLIC_V4, '127.0.0.1', PUBLIC_V6])
})

test('a family whose look-up fails does not hide the other', async () => {
  expect(await addressesOf('half.handbill.test')).toEqual([PUBLIC_V4])
})

test('a name without addresses, or that does not exist, has none', async () => {
  expect(await addressesOf('none.handbill.test')).toEqual([])
  expect(await addressesOf('unknown.handbill.test')).toEqual([])
})

test('a public name is asked for as it is written, and the hosts file is not read', async () => {
  expect(await addressesOf('localhost')).toEqual([])
  expect(server.questions.sort()).toEqual(['A localhost', 'AAAA localhost'])
})

test('an operator’s name is found in the hosts file', async () => {
  const addresses = (await resolveLocal('localhost')).map(({ address }) => address)
  expect(['127.0.0.1', '::1']).toContain(addresses[0] ?? '')
  expect(server.questions).toEqual([])
})

test('names whose server is silent hold up no file, and end when they are aborted', async () => {
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

test('the whole fetch ends at a private answer and at a silent server alike', async () => {
  const timeouts = { dnsMs: 100 }
  const dialled: unknown[] = []
  const get = fetching({
    resolve,
    timeouts,
    transport: (dial) => {
      dialled.push(dial)
      return Promise.reject(new Error('Nothing is to be dialled here.'))
    },
  })
  for (const name of ['inside', 'both', 'silent', 'none', 'unknown']) {
    await expectFailed(get(`https://${name}.handbill.test/`))
  }
  expect(dialled).toEqual([])
})
