import { describe, expect, it } from 'bun:test'
import { createBoundedCache } from './bounded-cache.ts'

describe('a shelf', () => {
  it('drops what was put first where there is no more room, and nothing before', () => {
    const shelf = createBoundedCache<string, number>({ item_bytes: 10, all_bytes: 20 })
    shelf.put('a', 1, 10)
    shelf.put('b', 2, 10)
    expect([shelf.get('a'), shelf.get('b')]).toEqual([1, 2])
    shelf.put('c', 3, 1)
    expect([shelf.get('a'), shelf.get('b'), shelf.get('c')]).toEqual([undefined, 2, 3])
    shelf.put('d', 4, 9)
    expect([shelf.get('b'), shelf.get('c'), shelf.get('d')]).toEqual([2, 3, 4])
  })

  it('takes nothing that is too large, nor the same twice', () => {
    const shelf = createBoundedCache<string, number>({ item_bytes: 10, all_bytes: 20 })
    shelf.put('large', 1, 11)
    expect(shelf.get('large')).toBeUndefined()
    for (let again = 0; again < 9; again++) shelf.put('a', again, 10)
    shelf.put('b', 2, 10)
    expect([shelf.get('a'), shelf.get('b')]).toEqual([0, 2])
  })
})
