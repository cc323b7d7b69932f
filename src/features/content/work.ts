import { refuse } from '../../model/errors.ts'
import { sha256Of } from '../../platform/ids.ts'
import { movable, slicesInTurns, takeTurn } from '../../platform/promises.ts'
import { createWaitingLine } from '../../platform/task-queue.ts'
import type { Threads } from '../../platform/threads.ts'
import { notRendered } from './not-rendered.ts'
import type { ContentTasks } from './tasks.ts'

/** Larger content is worked on in a thread. Up to this size, that would take longer. */
export const DIRECT_BYTES = 128 * 1024
/** Rendering takes longer, and parts of it do not look at the time. */
const DIRECT_MARKDOWN_BYTES = 1024
/** How long a task may take in a thread, beside a second for each MB: hostile content is slow. */
const MAX_MS = 10_000
/** The bytes that are processed in one turn of the event loop: dense HTML takes some 10 ms. */
const TURN_BYTES = 64 * 1024

export type ContentWork = ReturnType<typeof createContentWork>

/** Processes content without blocking other requests for long. */
export function createContentWork(threads: Pick<Threads, 'run'>) {
  /** Has one place: the other thread is for what takes less time. */
  const rendering = createContentMemory({ totalBytes: 1, smallBytes: 0 })
  return {
    /**
     * Runs a task: at once on small content, in a thread on large.
     *
     * @param input its bytes are moved, so that there is one copy of large content. Use those of
     *   the result: the given ones may be empty afterwards.
     * @param size in bytes, where the content grows
     * @throws Refusal of the task, or `server_busy`, also where it takes too long
     */
    async run<T extends keyof ContentTasks>(
      task: T,
      input: Parameters<ContentTasks[T]>[0],
      size = input.bytes.byteLength,
    ): Promise<Awaited<ReturnType<ContentTasks[T]>>> {
      type Result = Awaited<ReturnType<ContentTasks[T]>>
      if (size <= (task === 'renderMarkdown' ? DIRECT_MARKDOWN_BYTES : DIRECT_BYTES)) {
        await takeTurn(size / TURN_BYTES)
        // Loaded when something is published: no view needs it.
        const { CONTENT_TASKS } = await import('./tasks.ts')
        return (CONTENT_TASKS[task] as (input: object) => Result)(input)
      }
      const makeInput = async () => {
        const bytes = await movable(input.bytes)
        return { input: { ...input, bytes }, transfer: [bytes.buffer] }
      }
      const maxMs = MAX_MS + (1000 * input.bytes.byteLength) / MIB
      const inThread = () => threads.run(task, makeInput, maxMs)
      const isRendering = task === 'renderMarkdown'
      const result = isRendering ? rendering.hold(1, inThread) : inThread()
      return (await result.catch(isRendering ? notRendered : tookTooLong)) as Result
    },
    /** The SHA-256 of the bytes, in hex. */
    hash: (bytes: Uint8Array): Promise<string> => sha256Of(slicesInTurns(bytes)),
  }
}

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

export type ContentMemory = ReturnType<typeof createContentMemory>

/** The memory for large content, which requests share. @param limits for tests */
export function createContentMemory({
  totalBytes = TOTAL_BYTES,
  smallBytes = SMALL_BYTES,
  maxWaitMs = MAX_WAIT_MS,
  maxWaiting = MAX_WAITING,
} = {}) {
  const line = createWaitingLine({ maxWaitMs, most: maxWaiting, isInOrder: true, refusal: busy })
  let usedBytes = 0

  function take(bytes: number): boolean {
    if (usedBytes + bytes > totalBytes) return false
    usedBytes += bytes
    return true
  }

  return {
    /**
     * Runs work on content of this size once there is memory for it, in the order of the calls. Not
     * to be called within such work: it would wait for itself.
     *
     * @throws Refusal `server_busy` when that takes too long
     */
    async hold<T>(sizeBytes: number, work: () => Promise<T>): Promise<T> {
      if (sizeBytes <= smallBytes) return work()
      // Content that is larger than all of the memory has it alone.
      const bytes = Math.min(sizeBytes, totalBytes)
      await line.wait(() => take(bytes))
      try {
        return await work()
      } finally {
        usedBytes -= bytes
        line.proceed()
      }
    },
  }
}

function busy(reason = 'The server works on other large content.') {
  const message = `${reason} Wait a few seconds, then send it again.`
  return refuse.unavailable('server_busy', message, { retry_after_s: RETRY_AFTER_S })
}

function tookTooLong(err: unknown): never {
  throw err instanceof RangeError ? busy('The work on this content took too long.') : err
}
