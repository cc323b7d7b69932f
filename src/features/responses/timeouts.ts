/**
 * The same chunks, for a reader who may stop reading without a word: they end after
 * `idle_timeout_ms` without a read, and `total_timeout_ms` after their beginning.
 *
 * @param end called once, however they end: it releases what they are read from
 */
export function withTimeouts<T>(
  chunks: AsyncGenerator<T>,
  {
    idle_timeout_ms,
    total_timeout_ms,
    end,
  }: { idle_timeout_ms: number; total_timeout_ms: number; end(): void },
): AsyncIterableIterator<T> {
  const ends_ms = performance.now() + total_timeout_ms
  let is_over = false
  let timer = setTimeout(finish, idle_timeout_ms)

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
        else timer = setTimeout(finish, idle_timeout_ms)
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
