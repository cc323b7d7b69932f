/**
 * The same chunks, for a reader who may stop reading without a word: they end after
 * `idle_timeout_ms` without a read, and `total_timeout_ms` after their beginning.
 *
 * @param end called once, however they end: it releases what they are read from
 */
export function withTimeouts<T>(
  chunks: AsyncGenerator<T>,
  {
    idleTimeoutMs,
    totalTimeoutMs,
    end,
  }: { idleTimeoutMs: number; totalTimeoutMs: number; end(): void },
): AsyncIterableIterator<T> {
  const endsMs = performance.now() + totalTimeoutMs
  let isOver = false
  let timer = setTimeout(finish, idleTimeoutMs)

  function finish(): void {
    clearTimeout(timer)
    if (!isOver) end()
    isOver = true
  }
  return {
    async next() {
      clearTimeout(timer)
      if (performance.now() > endsMs) finish()
      if (isOver) throw new Error('It was read too slowly, so this has ended')
      try {
        const result = await chunks.next()
        if (result.done) finish()
        else timer = setTimeout(finish, idleTimeoutMs)
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
