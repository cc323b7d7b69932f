import { describe, expect, it } from 'bun:test'
import { createBoundedCache } from './bounded-cache.ts'

describe('a cache with bounds', () => {
  it('drops what was put first where there is no more room, and nothing before', () => {
    const cache = createBoundedCache<string, number>({ itemBytes: 10, allBytes: 20 })
    cache.put('a', 1, 10)
    cache.put('b', 2, 10)
    expect([cache.get('a'), cache.get('b')]).toEqual([1, 2])
    cache.put('c', 3, 1)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 2, 3])
    cache.put('d', 4, 9)
    expect([cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([2, 3, 4])
  })

  it('takes nothing that is too large, nor the same twice', () => {
    const cache = createBoundedCache<string, number>({ itemBytes: 10, allBytes: 20 })
    cache.put('large', 1, 11)
    expect(cache.get('large')).toBeUndefined()
    for (let again = 0; again < 9; again++) cache.put('a', again, 10)
    cache.put('b', 2, 10)
    expect([cache.get('a'), cache.get('b')]).toEqual([0, 2])
  })
})
