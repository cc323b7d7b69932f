import { takeTurn } from './turns.ts'

/**
 * Loads at the first call: a part of the program that most processes never need, or need later than
 * at their start. What could not be loaded is tried again by the next call.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((err: unknown) => {
      loading = undefined
      throw err
    })
    return loading
  }
}

/**
 * Loads the parts one after the other, each in a turn of its own: all at once would hold up the
 * event loop, and nobody's view would be answered meanwhile.
 */
export async function loadInTurns(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  await takeTurn()
  for (const load of parts) {
    await load()
    // A module runs in a later turn than its import was called in. The first call takes what that
    // turn has room for, and the second waits for the next turn.
    await takeTurn()
    await takeTurn()
  }
}
