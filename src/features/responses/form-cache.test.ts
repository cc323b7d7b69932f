import { expect, it } from 'bun:test'
import type { Page } from '../../model/page/index.ts'
import { createFormCache } from './form-cache.ts'

function countingCache(labelLength = 0) {
  let reads = 0
  const control = { name: 'a', label: 'x'.repeat(labelLength), kind: 'text' } as const
  const cache = createFormCache(async () => {
    reads += 1
    return { collecting: true, controls: [control] }
  })
  return {
    keyOf: cache.keyOf,
    /** @returns whether the forms came from the cache */
    async isCached(page: Partial<Page>): Promise<boolean> {
      const before = reads
      await cache.of(page as Page)
      return reads === before
    },
  }
}

it('forms are read once for each content, published or draft', async () => {
  const { isCached, keyOf } = countingCache()
  const draft = { published_id: null, draft_id: 'm1' }
  const published = { published_id: 'm1', draft_id: 'm2' }
  expect(await isCached(draft)).toBe(false)
  expect(await isCached(published)).toBe(false)
  expect(await isCached(draft)).toBe(true)
  expect(await isCached({ ...published, draft_id: 'm3' })).toBe(true)
  expect(await isCached({ ...published, published_id: 'm2' })).toBe(false)
  expect(keyOf(draft as Page)).not.toBe(keyOf(published as Page))
})

it('the least recently used of more than 200 is dropped', async () => {
  const { isCached } = countingCache()
  for (let at = 0; at < 200; at++) await isCached({ published_id: `m${at}` })
  expect(await isCached({ published_id: 'm0' })).toBe(true)
  await isCached({ published_id: 'm200' })
  expect(await isCached({ published_id: 'm0' })).toBe(true)
  expect(await isCached({ published_id: 'm1' })).toBe(false)
})

it('more than 8 MiB of names and labels are dropped too', async () => {
  const { isCached } = countingCache(3 * 1024 * 1024)
  for (const id of ['m1', 'm2', 'm3']) await isCached({ published_id: id })
  expect(await isCached({ published_id: 'm3' })).toBe(true)
  expect(await isCached({ published_id: 'm1' })).toBe(false)
})
