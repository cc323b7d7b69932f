/**
 * Runs a garbage collection. Only for threads that work on large content: it takes some
 * milliseconds. By itself the runtime lets garbage grow to twice the size of the memory in use.
 */
export function collectGarbage(): void {
  Bun.gc(true)
}
