/** Where to start reading, and how many rows of the block to skip. */
export interface Place {
  block: number
  from: string
  before: string | null
  skip: number
}

/** Counts rows in blocks between keys. Keys are texts in the order of the rows. */
export interface Blocks {
  /** Counts a row that was added at a key, or removed. */
  add(key: string, count: 1 | -1): void
  /**
   * Finds the row with this offset, counted from the start or from the end; null if there is none.
   */
  find(offset: number, order: 'asc' | 'desc'): Place | null
  countOf(block: number): number
  /** Whether so many blocks are almost empty that the order should be read again. */
  areSparse(): boolean
  /** Divides a block before each of these keys, which lie `step` rows apart. */
  split(block: number, keys: readonly string[], step: number): void
}

/**
 * @param keys of the first row, and of each that comes `step` rows later
 * @param last how many rows are there from the last of the keys on
 * @param lastKey no row has a larger key
 */
export function createBlocks(
  keys: readonly string[],
  { step, last, lastKey }: { step: number; last: number; lastKey: string },
): Blocks {
  // Rows before the first key are in the first block.
  const starts = ['', ...keys.slice(1)]
  const counts = starts.map((_, block) => (block === starts.length - 1 ? last : step))
  let largest = lastKey
  let total = counts.reduce((sum, count) => sum + count, 0)

  function blockOf(key: string): number {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= key) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    add(key, count) {
      if (key > largest) {
        largest = key
        // All rows of the last block are before it. New rows mostly come at the end.
        if (counts.at(-1)! >= step) {
          starts.push(key)
          counts.push(0)
        }
      }
      counts[blockOf(key)]! += count
      total += count
    },
    find(offset, order) {
      const isUp = order === 'asc'
      let skip = offset
      for (let i = 0; i < counts.length; i++) {
        const block = isUp ? i : counts.length - 1 - i
        const count = counts[block]!
        const from = starts[block]!
        if (skip < count) return { block, from, before: starts[block + 1] ?? null, skip }
        skip -= count
      }
      return null
    },
    countOf: (block) => counts[block]!,
    areSparse: () => counts.length > 100 + (4 * total) / step,
    split(block, keys, step) {
      const [, ...inner] = keys
      const rest = counts[block]! - inner.length * step
      starts.splice(block + 1, 0, ...inner)
      counts.splice(block, 1, ...inner.map(() => step), rest)
    },
  }
}
