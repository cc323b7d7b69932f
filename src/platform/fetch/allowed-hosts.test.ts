import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createFetch, expectFailed } from './testing/create-fetch.ts'
import { localHttpsServer } from './testing/index.ts'

describe('an allowed host', () => {
  test('is fetched on loopback, but other ports of the same host are not', async () => {
    const server = await localHttpsServer((_request, response) => response.end('inside'))
    const other = await localHttpsServer((_request, response) => response.end('secret'))
    const get = createFetch({ allowedHosts: [server.host] })
    expect(new TextDecoder().decode((await get(server.url)).bytes)).toBe('inside')
    await expectFailed(get(other.url))
    await expectFailed(get('https://127.0.0.1/'))
    expect([server.connections(), other.connections()]).toEqual([1, 0])
    await Promise.all([server.close(), other.close()])
  })

  test('gives access to no other host through a redirect', async () => {
    const secret = await localHttpsServer((_request, response) => response.end('secret'))
    const server = await localHttpsServer((request, response) => {
      const port = secret.host.split(':')[1]
      const host = request.url === '/name' ? 'localhost' : '127.0.0.1'
      response.writeHead(302, { location: `https://${host}:${port}/` }).end()
    })
    const get = createFetch({ allowedHosts: [server.host] })
    await expectFailed(get(server.url))
    await expectFailed(get(`${server.url}/name`))
    expect([server.connections(), secret.connections()]).toEqual([2, 0])
    await Promise.all([server.close(), secret.close()])
  })

  test('still needs a trusted certificate', async () => {
    const server = await localHttpsServer((_request, response) => response.end('inside'))
    const name = `nobody.test:${server.host.split(':')[1]}`
    const resolve = async () => [{ address: '127.0.0.1' }]
    const get = createFetch({ allowedHosts: [server.host, name], resolve })
    await get(server.url)
    await expectFailed(get(`https://${name}/`))
    await server.close()
  })

  test('is trusted when NODE_EXTRA_CA_CERTS names its private authority', async () => {
    const server = await localHttpsServer((_request, response) => response.end('inside'))
    const script = `
      const { createGuardedFetch } = await import(${JSON.stringify(join(import.meta.dir, 'index.ts'))})
      const temporaryFiles = { create: () => Promise.reject(new Error('It is small')) }
      const options = { allowedHosts: ['${server.host}'], ownHosts: [], temporaryFiles }
      const { get } = createGuardedFetch(options)
      const answer = get('${server.url}', { maxBytes: 10 })
      console.log(await answer.then(({ sizeBytes }) => String(sizeBytes), ({ code }) => code))`
    const run = async (extra: Record<string, string>) => {
      const env = { PATH: process.env.PATH ?? '', ...extra }
      const child = Bun.spawn([process.execPath, '-e', script], { env, stdout: 'pipe' })
      return (await new Response(child.stdout).text()).trim()
    }
    expect(await run({})).toBe('fetch_failed')
    expect(await run({ NODE_EXTRA_CA_CERTS: server.caFile })).toBe('6')
    await server.close()
  })
})
