/** In characters, for responses and for rows each. A longer answer is slow to build and read. */
const MAX_LENGTH = 8 * 1024 * 1024

/** The first items of a list, as many as fit into one answer. */
export interface CappedList<T> {
  items: T[]
  /** @returns whether there is space for another item */
  add(item: T, length: number): boolean
  /** How many of the `limit` requested items the list covers: all, unless it was cut short. */
  coveredOf(limit: number): number
}

/** The first item always fits, whatever its length. */
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
