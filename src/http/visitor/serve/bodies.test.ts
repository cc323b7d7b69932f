import { expect, test } from 'bun:test'
import type { Content } from '../../../features/content/index.ts'
import { createEncodedCache } from '../../kit/compressor.ts'
import { createBodies } from './bodies.ts'

test('bodies of one byte are forgotten, too: each takes more than its byte in memory', async () => {
  const bodies = createBodies({ bytes: async () => new Uint8Array(1) } as unknown as Content)
  const tags = { og_title: null, og_description: null, headHtml: '', image: null }
  const file = { hash: 'h', html: null } as never
  for (let n = 0; n < 70_000; n++) await bodies.loadBytes(`body ${n}`, file, tags)
  expect(bodies.cached('body 0')).toBeUndefined()
  expect(bodies.cached('body 69999')).toHaveLength(1)
})

test('that a small body gets no smaller is forgotten, too', async () => {
  const encoded = createEncodedCache(64 * 1024)
  let reads = 0
  const encode = (id: number) =>
    encoded(`body ${id}`, 'gzip', async () => {
      reads += 1
      return new Uint8Array(1)
    })
  for (let id = 0; id < 100; id++) expect(await encode(id)).toBeNull()
  await encode(99)
  expect(reads).toBe(100)
  await encode(0)
  expect(reads).toBe(101)
})
