import { takeTurn } from './turns.ts'

/**
 * Loads a part of the program at the first call, since most processes do not need it at their
 * start, or never. After a failure, the next call tries again.
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
 * Loads the parts one after the other, each in a turn of the event loop of its own: all at once
 * would block the event loop, and with it all views.
 */
export async function loadInTurns(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  await takeTurn()
  for (const load of parts) {
    await load()
    // A module runs in a later turn than that of its import. The first call uses up that turn, and
    // the second waits for the next one.
    await takeTurn()
    await takeTurn()
  }
}
