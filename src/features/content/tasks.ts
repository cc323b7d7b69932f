import { setImmediate } from 'node:timers/promises'
import { newSha256, sha256 } from '../../platform/secrets.ts'
import type { Threads } from '../../platform/threads.ts'
import { type ComparedHtml, compareHtml, type HtmlToCompare } from './changes/compare-html.ts'
import { applyEdits, type Edit, type EditedText } from './edits/edits.ts'
import { type CheckedHtml, checkHtml, type HtmlToCheck } from './import/check-html.ts'
import { type FileToRelease, type ReleasedFile, releaseFile } from './release-file.ts'

/** Larger content is worked on in a thread. Up to this size, that would take longer. */
const DIRECT_BYTES = 256 * 1024
const SLICE_BYTES = 2 * 1024 * 1024

interface HtmlToEdit {
  bytes: Uint8Array
  edits: readonly Edit[]
  maxBytes: number
}

/** What reads every byte of a file, and may read it several times. */
export const CONTENT_TASKS = {
  checkHtml: (input: HtmlToCheck): CheckedHtml => checkHtml(input),
  editHtml({ bytes, edits, maxBytes }: HtmlToEdit): EditedText & { hash: string } {
    const edited = applyEdits(bytes, edits, { maxBytes })
    return { ...edited, hash: sha256(edited.bytes) }
  },
  compareHtml: (input: HtmlToCompare): ComparedHtml | null => compareHtml(input),
  releaseFile: (input: FileToRelease): ReleasedFile => releaseFile(input),
}

type ContentTasks = typeof CONTENT_TASKS

/** Works on content without holding up other requests for long. */
export interface ContentWork {
  /** Runs a task: at once on small content, in a thread on large. @throws Refusal of the task */
  run<T extends keyof ContentTasks>(
    task: T,
    input: Parameters<ContentTasks[T]>[0],
  ): Promise<ReturnType<ContentTasks[T]>>
  /** The SHA-256 of the bytes, in hex. */
  hash(bytes: Uint8Array): Promise<string>
}

export function createContentWork(threads: Pick<Threads, 'run'>): ContentWork {
  let bytesInTurn = 0

  /** Lets other requests in where many small pieces of work follow each other. */
  async function takeTurn(sizeBytes: number): Promise<void> {
    bytesInTurn += sizeBytes
    if (bytesInTurn <= DIRECT_BYTES) return
    bytesInTurn = 0
    await setImmediate()
  }

  return {
    async run<T extends keyof ContentTasks>(task: T, input: Parameters<ContentTasks[T]>[0]) {
      type Result = ReturnType<ContentTasks[T]>
      const { byteLength } = input.bytes
      if (byteLength <= DIRECT_BYTES) {
        await takeTurn(byteLength)
        return (CONTENT_TASKS[task] as (input: object) => Result)(input)
      }
      const result = await threads.run(task, async () => {
        const bytes = await copyInSlices(input.bytes)
        return { input: { ...input, bytes }, transfer: [bytes.buffer] }
      })
      return result as Result
    },
    async hash(bytes) {
      if (bytes.byteLength <= DIRECT_BYTES) {
        await takeTurn(bytes.byteLength)
        return sha256(bytes)
      }
      const hasher = newSha256()
      for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
        hasher.update(bytes.subarray(at, at + SLICE_BYTES))
        await setImmediate()
      }
      return hasher.digest('hex')
    },
  }
}

/** A copy that a thread may own. Copying 50 MB at once would hold up other requests. */
async function copyInSlices(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    copy.set(bytes.subarray(at, at + SLICE_BYTES), at)
    await setImmediate()
  }
  return copy
}
