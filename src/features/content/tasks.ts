import { newSha256, sha256 } from '../../platform/secrets.ts'
import type { Threads } from '../../platform/threads.ts'
import { movable, slicesInTurns, takeTurn } from '../../platform/turns.ts'
import { type ComparedHtml, compareHtml, type HtmlToCompare } from './changes/compare-html.ts'
import { applyEdits, type Edit, type EditedText } from './edits/edits.ts'
import { type OmittedDataUris, omitDataUris } from './html/omit-data-uris.ts'
import { type CheckedHtml, checkHtml, type HtmlToCheck } from './import/check-html.ts'
import { type FileToRelease, type ReleasedFile, releaseFile } from './release-file.ts'

/** Larger content is worked on in a thread. Up to this size, that would take longer. */
const DIRECT_BYTES = 256 * 1024

interface HtmlToEdit {
  bytes: Uint8Array
  edits: readonly Edit[]
  maxBytes: number
}

interface HtmlToRead {
  bytes: Uint8Array
  /** false leaves out long data: URIs. */
  full: boolean
}

/** Keeps a byte order mark, which is part of the content. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const NOTHING = { count: 0, chars: 0 }

/** What reads every byte of a file, and may read it several times. */
export const CONTENT_TASKS = {
  checkHtml: (input: HtmlToCheck): CheckedHtml => checkHtml(input),
  editHtml({ bytes, edits, maxBytes }: HtmlToEdit): EditedText & { hash: string } {
    const edited = applyEdits(bytes, edits, { maxBytes })
    return { ...edited, hash: sha256(edited.bytes) }
  },
  readHtml({ bytes, full }: HtmlToRead): { json: Uint8Array; elided: OmittedDataUris } {
    const html = utf8.decode(bytes)
    const { html: read, elided } = full ? { html, elided: NOTHING } : omitDataUris(html)
    return { json: Buffer.from(JSON.stringify(read)), elided }
  },
  compareHtml: (input: HtmlToCompare): ComparedHtml | null => compareHtml(input),
  releaseFile: (input: FileToRelease): ReleasedFile => releaseFile(input),
}

type ContentTasks = typeof CONTENT_TASKS

/** Works on content without holding up other requests for long. */
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
  ): Promise<ReturnType<ContentTasks[T]>>
  /** The SHA-256 of the bytes, in hex. */
  hash(bytes: Uint8Array): Promise<string>
}

export function createContentWork(threads: Pick<Threads, 'run'>): ContentWork {
  return {
    async run<T extends keyof ContentTasks>(task: T, input: Parameters<ContentTasks[T]>[0]) {
      type Result = ReturnType<ContentTasks[T]>
      const { byteLength } = input.bytes
      if (byteLength <= DIRECT_BYTES) {
        await takeTurn(byteLength / DIRECT_BYTES)
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
