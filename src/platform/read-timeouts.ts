interface TimeoutOptions {
  /** The longest pause between two reads. */
  idleTimeoutMs: number
  /** The longest time from now to the end; by default any. */
  totalTimeoutMs?: number
  /** Called once, however the iteration ends, to release the source of the chunks. */
  release(): void
}

/**
 * Passes chunks on until a timeout, so that a client that stops reading holds no resources. The
 * source ends then as well.
 */
export function withTimeouts<T>(
  chunks: AsyncGenerator<T>,
  { idleTimeoutMs, totalTimeoutMs = Infinity, release }: TimeoutOptions,
): AsyncIterableIterator<T> {
  const deadlineMs = performance.now() + totalTimeoutMs
  let isOver = false
  let timer = setTimeout(stop, idleTimeoutMs)

  function finish(): void {
    clearTimeout(timer)
    if (!isOver) release()
    isOver = true
  }
  async function stop(): Promise<void> {
    // A read in progress still needs the source, so it is released afterwards.
    await chunks.return(undefined).catch(() => {})
    finish()
  }
  return {
    async next() {
      clearTimeout(timer)
      if (performance.now() > deadlineMs) await stop()
      if (isOver) throw new Error('The download was read too slowly and has ended.')
      try {
        const result = await chunks.next()
        if (result.done) finish()
        else timer = setTimeout(stop, idleTimeoutMs)
        return result
      } catch (err) {
        finish()
        throw err
      }
    },
    async return() {
      await stop()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
