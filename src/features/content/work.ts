import { newSha256, sha256 } from '../../platform/secrets.ts'
import type { Threads } from '../../platform/threads.ts'
import { movable, slicesInTurns, takeTurn } from '../../platform/turns.ts'
import type { ContentTasks } from './tasks.ts'

/** Larger content is worked on in a thread. Up to this size, that would take longer. */
export const DIRECT_BYTES = 128 * 1024
/** Rendering takes longer. */
const DIRECT_MARKDOWN_BYTES = 4 * 1024
/** The bytes that are processed in one turn of the event loop: dense HTML takes some 10 ms. */
const TURN_BYTES = 64 * 1024

/** Processes content without blocking other requests for long. */
export interface ContentWork {
  /**
   * Runs a task: at once on small content, in a thread on large.
   *
   * @param input its bytes are moved, so that there is one copy of large content. Use those of the
   *   result: the given ones may be empty afterwards.
   * @throws Refusal of the task
   */
  run<T extends keyof ContentTasks>(
    task: T,
    input: Parameters<ContentTasks[T]>[0],
  ): Promise<Awaited<ReturnType<ContentTasks[T]>>>
  /** The SHA-256 of the bytes, in hex. */
  hash(bytes: Uint8Array): Promise<string>
}

export function createContentWork(threads: Pick<Threads, 'run'>): ContentWork {
  return {
    async run<T extends keyof ContentTasks>(
      task: T,
      input: Parameters<ContentTasks[T]>[0],
    ): Promise<Awaited<ReturnType<ContentTasks[T]>>> {
      type Result = Awaited<ReturnType<ContentTasks[T]>>
      const { byteLength } = input.bytes
      if (byteLength <= (task === 'renderMarkdown' ? DIRECT_MARKDOWN_BYTES : DIRECT_BYTES)) {
        await takeTurn(byteLength / TURN_BYTES)
        // Loaded when something is published: no view needs it.
        const { CONTENT_TASKS } = await import('./tasks.ts')
        return (CONTENT_TASKS[task] as (input: object) => Result)(input)
      }
      const result = await threads.run(task, async () => {
        const bytes = await movable(input.bytes)
        return { input: { ...input, bytes }, transfer: [bytes.buffer] }
      })
      return result as Result
    },
    async hash(bytes) {
      if (bytes.byteLength <= DIRECT_BYTES) {
        await takeTurn(bytes.byteLength / DIRECT_BYTES)
        return sha256(bytes)
      }
      const hasher = newSha256()
      for await (const slice of slicesInTurns(bytes)) hasher.update(slice)
      return hasher.digest('hex')
    },
  }
}
