/**
 * Frees what nothing uses any more, at once. Only for threads that work on large content: it takes
 * some milliseconds. The runtime alone lets garbage grow to twice the size of what is in use.
 */
export function collectGarbage(): void {
  Bun.gc(true)
}
