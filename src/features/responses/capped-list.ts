/** In characters, of responses and of rows each: a longer answer is slow to make and to read. */
const MAX_LENGTH = 8 * 1024 * 1024

/** The first of a list, as many as fit into one answer. */
export interface CappedList<T> {
  items: T[]
  /** @returns false where this one is the last that fits */
  add(item: T, length: number): boolean
  /** How many of the `limit` asked for this covers: all, unless it was cut short. */
  coveredOf(limit: number): number
}

/** However long its first item is, that one fits. */
export function createCappedList<T>(): CappedList<T> {
  const items: T[] = []
  let left = MAX_LENGTH
  return {
    items,
    add(item, length) {
      items.push(item)
      left -= length
      return left > 0
    },
    coveredOf: (limit) => (left > 0 ? limit : items.length),
  }
}
