import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type S3Blobs, s3Blobs } from '../../platform/blobs/s3/index.ts'
import { sha256 } from '../../platform/ids.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts'
import { fileOf, htmlOf } from '../../testing/material.ts'
import { type S3Server, startS3 } from '../../testing/s3-server.ts'
import { contentRows, expectReadable, NO_ROWS, sweepAll } from '../../testing/sweeping.ts'

const LIMITS = { stallMs: 2000, backoffMs: 1, bytesPerSecond: 1024 * 1024, quietMs: 0 }

let server: S3Server
let proxy: FaultProxy
beforeAll(async () => {
  server = await startS3()
  proxy = await startFaultProxy(server.port)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

describe.each(ENGINES)('content in an object store, with %s', (engine) => {
  async function appOnS3(cacheBytes = 100_000_000) {
    const settings = { ...(await server.newBucket()), endpoint: proxy.endpoint }
    let blobs: S3Blobs
    let cacheFolder = ''
    const app = await testApp(engine, {}, ({ folder, ...deps }) => {
      cacheFolder = join(folder, 'cache')
      blobs = s3Blobs({ ...deps, settings, cacheFolder, limits: LIMITS, cacheBytes })
      return blobs
    })
    return {
      app,
      /** Deletes the local copies, as the cache does with one that is larger than itself. */
      dropCopies() {
        for (const entry of readdirSync(cacheFolder, { recursive: true, withFileTypes: true })) {
          const isCopy = entry.isFile() && !entry.name.endsWith('.lock')
          if (isCopy) rmSync(join(entry.parentPath, entry.name))
        }
      },
      async [Symbol.asyncDispose]() {
        proxy.always(null)
        blobs.close()
        await app[Symbol.asyncDispose]()
      },
    }
  }

  it('is swept with the pages that had it, in one request, and other pages keep theirs', async () => {
    await using on = await appOnS3()
    const { app } = on
    const owner = await app.owner()
    const original = htmlOf(200_000)
    const { id } = await owner.publish(original)
    const gone = [await owner.publish(htmlOf(200_000)), await owner.publish(htmlOf(200_000))]
    await owner.upload(fileOf('pdf', 200_000))
    expect(await storedKeys(app)).toHaveLength(4)
    for (const page of gone) await owner.call('DELETE', `/pages/${page.id}`)
    proxy.requests.length = 0
    await sweepAll(app)
    expect(await storedKeys(app)).toHaveLength(2)
    const writes = proxy.requests.filter(({ method }) => method !== 'GET')
    expect(writes.map(({ method, url }) => `${method} ${url.split('?')[1]}`)).toEqual([
      'POST delete=',
    ])
    await expectReadable(app, { owner, id, html: original })
    app.advance(25 * 60 * 60 * 1000)
    await owner.call('DELETE', `/pages/${id}`)
    await sweepAll(app)
    expect(await storedKeys(app)).toEqual([])
    expect(await contentRows(app)).toMatchObject(NO_ROWS)
  })

  it('is read to its end where its local copy is deleted meanwhile', async () => {
    await using on = await appOnS3(1)
    const { app, dropCopies } = on
    const owner = await app.owner()
    const file = fileOf('pdf', 2_000_000)
    await owner.upload(file)
    const pieces: Uint8Array[] = []
    for await (const piece of app.content.pieces(sha256(file))) {
      if (pieces.length % 10 === 0) dropCopies()
      pieces.push(piece)
    }
    expect(Buffer.concat(pieces).equals(file)).toBe(true)
    expect(pieces.length).toBeGreaterThan(20)
  })

  it('is swept later where the store fails while it is deleted', async () => {
    await using on = await appOnS3()
    const { app } = on
    const owner = await app.owner()
    const { id } = await owner.publish(htmlOf(200_000))
    await owner.call('DELETE', `/pages/${id}`)
    proxy.always('reset')
    await expect(sweepAll(app)).rejects.toThrow('The object store fails')
    proxy.always(null)
    await sweepAll(app)
    expect(await storedKeys(app)).toEqual([])
    expect(await contentRows(app)).toMatchObject(NO_ROWS)
  })

  it('is not written where the store fails, and neither is its page', async () => {
    await using on = await appOnS3()
    const { app } = on
    const owner = await app.owner()
    const { id } = await owner.publish('<p>small')
    proxy.always('reset')
    const large = { html: htmlOf(200_000) }
    for (const refused of [
      await owner.refused('POST', '/pages', large),
      await owner.refused('PATCH', `/pages/${id}`, large),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([503, 'files_down'])
      expect(refused.headers.get('retry-after')).toBe('5')
    }
    proxy.always(null)
    expect(await owner.html(id)).toBe('<p>small')
    expect(await storedKeys(app)).toEqual([])
    expect(await app.rows('pages')).toHaveLength(1)
  })
})
