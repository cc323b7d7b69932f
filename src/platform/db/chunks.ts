/** Fewer than the parameters that any engine takes. */
const CHUNK = 500

/** Divides a list for statements with one parameter for each item. An empty list has no chunk. */
export function* inChunks<T>(items: readonly T[], size = CHUNK): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
