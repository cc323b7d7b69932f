import { Refusal } from '../../model/errors.ts'
import { fontPaths } from '../../platform/drawing/fonts.ts'
import { createSingleFlight, loadOnce, movable } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import type { Content, ReleaseFile } from '../content/index.ts'
import type { FileToMark, MarkedFile } from './mark.ts'
import type { MarkTexts } from './texts.ts'

export { markTexts, type Recipient } from './texts.ts'
export type { MarkedFile, MarkTexts }

export interface WatermarkDeps extends Pick<Services, 'threads' | 'log'> {
  content: Pick<Content, 'bytes' | 'holdMemory'>
  /** The path of a built web file, by its logical name. */
  pathOf(name: string): string
}

const MB = 1024 * 1024
const CACHE_BYTES = 64 * MB
/** A PDF of 50 MB takes a second and 250 MB. */
const MAX_FILE_BYTES = 64 * MB
const MAX_MS = 20_000
const MAX_MEMORY_BYTES = 512 * MB
/** How many copies may be made or wait, and how long a request waits. */
const MOST = 20
const MAX_WAIT_MS = 30_000

/** Makes copies of PDFs and images that say whose they are, and caches the last ones. */
export function createWatermarks({ threads, log, content, pathOf }: WatermarkDeps) {
  const copies = createSingleFlight<MarkedFile | 'failed'>({
    maxBytes: CACHE_BYTES,
    sizeOf: (copy) => (copy === 'failed' ? 100 : copy.bytes.byteLength),
    // The threads have other work, too.
    atOnce: 1,
    most: MOST,
    maxWaitMs: MAX_WAIT_MS,
  })

  async function mark({ hash, mime }: ReleaseFile, texts: MarkTexts) {
    const makeInput = async () => {
      const bytes = await movable(await content.bytes(hash))
      const input = { bytes, mime, texts, fontPaths: fontPaths(pathOf).sans }
      return { input, transfer: [bytes.buffer] }
    }
    try {
      return (await threads.run('markFile', makeInput, MAX_MS, MAX_MEMORY_BYTES)) as MarkedFile
    } catch (err) {
      log.warn('watermark_failed', { hash, err })
      return 'failed'
    }
  }

  return {
    /** @returns `failed` for a file that cannot be marked, `busy` while others wait */
    async copyOf(file: ReleaseFile, texts: MarkTexts): Promise<MarkedFile | 'failed' | 'busy'> {
      if (file.size_bytes > MAX_FILE_BYTES) return 'failed'
      const make = () => content.holdMemory(file.size_bytes, () => mark(file, texts))
      try {
        return (await copies.get(JSON.stringify([file.hash, texts]), make)) ?? 'busy'
      } catch (err) {
        if (err instanceof Refusal) return 'busy'
        throw err
      }
    },
  }
}
export type Watermarks = ReturnType<typeof createWatermarks>

/** Finds files that visitors would never get, since they cannot be marked. */
export function createMarkChecks({ threads, content }: Omit<WatermarkDeps, 'log' | 'pathOf'>) {
  /** @param bytes of a file that is not stored yet */
  return async ({ hash, mime, size_bytes }: FileFacts, bytes?: Uint8Array): Promise<boolean> => {
    if (size_bytes > MAX_FILE_BYTES) return false
    const makeInput = async () => {
      const own = bytes?.slice() ?? (await movable(await content.bytes(hash)))
      return { input: { bytes: own, mime }, transfer: [own.buffer] }
    }
    try {
      const run = () => threads.run('checkMarkable', makeInput, MAX_MS, MAX_MEMORY_BYTES)
      return (await content.holdMemory(size_bytes, run)) as boolean
    } catch {
      // While the memory is full, nothing is known.
      return true
    }
  }
}
export type IsMarkable = ReturnType<typeof createMarkChecks>
type FileFacts = Pick<ReleaseFile, 'hash' | 'mime' | 'size_bytes'>

export function createWatermarkTasks() {
  const loadMarking = loadOnce(async () => (await import('./mark.ts')).createMarking())
  return {
    checkMarkable: async (file: MarkedFile): Promise<boolean> =>
      (await import('./mark.ts')).checkMarkable(file).then(
        () => true,
        () => false,
      ),
    /** The libraries take memory and time, so the first file loads them. */
    markFile: async (file: FileToMark): Promise<MarkedFile> => (await loadMarking())(file),
  }
}
