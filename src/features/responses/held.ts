import type { Database, Db } from '../../platform/db/index.ts'

export interface Held {
  db: Db
  release(): void
}

/** A snapshot for longer than one call: whoever holds it releases it. */
export async function hold(database: Database): Promise<Held> {
  const opened = Promise.withResolvers<Db>()
  const released = Promise.withResolvers<void>()
  const reading = database.snapshot((db) => {
    opened.resolve(db)
    return released.promise
  })
  reading.catch(opened.reject)
  return { db: await opened.promise, release: released.resolve }
}

/**
 * The same chunks, for a reader who may stop reading without a word: after `pause_ms` without a
 * read, or `whole_ms` after their beginning, they end, and what they hold is released.
 *
 * @param end called once, however it ends
 */
export function impatient<T>(
  chunks: AsyncGenerator<T>,
  { pause_ms, whole_ms, end }: { pause_ms: number; whole_ms: number; end(): void },
): AsyncIterableIterator<T> {
  const ends_ms = performance.now() + whole_ms
  let is_over = false
  let timer = setTimeout(finish, pause_ms)

  function finish(): void {
    clearTimeout(timer)
    if (!is_over) end()
    is_over = true
  }
  return {
    async next() {
      clearTimeout(timer)
      if (performance.now() > ends_ms) finish()
      if (is_over) throw new Error('It was read too slowly, so this has ended')
      try {
        const result = await chunks.next()
        if (result.done) finish()
        else timer = setTimeout(finish, pause_ms)
        return result
      } catch (err) {
        finish()
        throw err
      }
    },
    async return() {
      // What is being read now still needs what it is read from.
      await chunks.return(undefined)
      finish()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
