interface TimeoutOptions {
  /** The longest pause between two reads. */
  idleTimeoutMs: number
  /** The longest time from now to the end. */
  totalTimeoutMs: number
  /** Called once, however the iteration ends, to release the source of the chunks. */
  release(): void
}

/** Passes chunks on until a timeout, so that a client that stops reading holds no resources. */
export function withTimeouts<T>(
  chunks: AsyncGenerator<T>,
  { idleTimeoutMs, totalTimeoutMs, release }: TimeoutOptions,
): AsyncIterableIterator<T> {
  const deadlineMs = performance.now() + totalTimeoutMs
  let isOver = false
  let timer = setTimeout(finish, idleTimeoutMs)

  function finish(): void {
    clearTimeout(timer)
    if (!isOver) release()
    isOver = true
  }
  return {
    async next() {
      clearTimeout(timer)
      if (performance.now() > deadlineMs) finish()
      if (isOver) throw new Error('The download was read too slowly and has ended.')
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
      // A read in progress still needs the source, so it is released afterwards.
      await chunks.return(undefined)
      finish()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
