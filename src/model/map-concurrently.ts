/**
 * Does the same to each item, `most` at once. Where one fails, no further ones begin.
 *
 * @returns the results, in the order of the items
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  most: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  async function work(): Promise<void> {
    while (next < items.length) {
      const at = next++
      results[at] = await act(items[at]!)
    }
  }
  try {
    await Promise.all(Array.from({ length: most }, work))
  } finally {
    next = items.length
  }
  return results
}
