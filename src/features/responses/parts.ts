/** What one answer holds of responses, and what of rows: more would be slow to make and to read. */
const PART_LENGTH = 8 * 1024 * 1024

/** The first of many, as far as they fit into one answer. */
export interface Part<T> {
  items: T[]
  /** @returns false where this one is the last that fits */
  add(item: T, length: number): boolean
  /** How many of so many that were asked for have been looked at. */
  toldOf(limit: number): number
}

/** However long its first item is, that one fits. */
export function createPart<T>(): Part<T> {
  const items: T[] = []
  let left = PART_LENGTH
  return {
    items,
    add(item, length) {
      items.push(item)
      left -= length
      return left > 0
    },
    toldOf: (limit) => (left > 0 ? limit : items.length),
  }
}
