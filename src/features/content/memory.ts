import { refuse } from '../../model/errors.ts'

const MIB = 1024 * 1024
/** What content may take at once. Work on it takes some times that much, in its thread. */
const TOTAL_BYTES = 64 * MIB
/** Up to this size, content is bounded by the bodies that bring it, and never waits. */
const SMALL_BYTES = 4 * MIB

/**
 * For reads, which no body bounds. Those that have room here do not wait for larger work, and what
 * waits has nothing in memory.
 */
export const READS = { totalBytes: 16 * MIB, smallBytes: 128 * 1024, maxWaiting: 4096 }

/** Requests with a body end after two minutes without a byte. */
const MAX_WAIT_MS = 100_000
const MAX_WAITING = 256
const RETRY_AFTER_S = 10

/** The memory for large content, which requests share. */
export interface ContentMemory {
  /**
   * Runs work on content of this size once there is memory for it, in the order of the calls. Not
   * to be called within such work: it would wait for itself.
   *
   * @throws Refusal `server_busy` when that takes too long
   */
  hold<T>(sizeBytes: number, work: () => Promise<T>): Promise<T>
}

interface Waiting {
  bytes: number
  begin(): void
}

/** @param limits for tests */
export function createContentMemory({
  totalBytes = TOTAL_BYTES,
  smallBytes = SMALL_BYTES,
  maxWaitMs = MAX_WAIT_MS,
  maxWaiting = MAX_WAITING,
} = {}): ContentMemory {
  const waiting = new Set<Waiting>()
  let held = 0

  function beginNext(): void {
    for (const each of waiting) {
      if (held + each.bytes > totalBytes) return
      waiting.delete(each)
      held += each.bytes
      each.begin()
    }
  }

  async function reserve(bytes: number): Promise<void> {
    if (waiting.size >= maxWaiting) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const own = { bytes, begin: resolve }
    waiting.add(own)
    const timer = setTimeout(() => {
      if (waiting.delete(own)) reject(busy())
      // It may have been the one that those behind it waited for.
      beginNext()
    }, maxWaitMs)
    beginNext()
    await promise.finally(() => clearTimeout(timer))
  }

  return {
    async hold(sizeBytes, work) {
      if (sizeBytes <= smallBytes) return work()
      // Content that is larger than all of the memory has it alone.
      const bytes = Math.min(sizeBytes, totalBytes)
      await reserve(bytes)
      try {
        return await work()
      } finally {
        held -= bytes
        beginNext()
      }
    },
  }
}

function busy() {
  return refuse.unavailable(
    'server_busy',
    'The server works on other large content. Wait a few seconds, then send it again.',
    { retry_after_s: RETRY_AFTER_S },
  )
}
