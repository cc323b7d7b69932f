import { Refusal } from '../../model/errors.ts'
import { fontPaths } from '../../platform/drawing/fonts.ts'
import { createSingleFlight, inTime, loadOnce, movable } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import { createTaskQueue } from '../../platform/task-queue.ts'
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
/** How many copies may be made or wait at once, and how long a request waits. */
const MAX_RUNNING = 20
const MAX_WAIT_MS = 30_000

/** Makes copies of PDFs and images that say whose they are, and caches the last ones. */
export function createWatermarks({ threads, log, content, pathOf }: WatermarkDeps) {
  const copies = createSingleFlight<MarkedFile | 'failed'>({
    maxBytes: CACHE_BYTES,
    sizeOf: (copy) => (copy === 'failed' ? 100 : copy.bytes.byteLength),
    maxRunning: MAX_RUNNING,
  })
  /** One at a time, since the threads have other work, too. */
  const inTurn = createTaskQueue(1)

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
      const copy = copies.get(JSON.stringify([file.hash, texts]), () => inTurn(make))
      if (copy === null) return 'busy'
      try {
        return await inTime(copy, MAX_WAIT_MS, () => 'busy' as const)
      } catch (err) {
        if (err instanceof Refusal) return 'busy'
        throw err
      }
    },
  }
}
export type Watermarks = ReturnType<typeof createWatermarks>

export function createWatermarkTasks() {
  const loadMarking = loadOnce(async () => (await import('./mark.ts')).createMarking())
  return {
    /** The libraries take memory and time, so the first file loads them. */
    markFile: async (file: FileToMark): Promise<MarkedFile> => (await loadMarking())(file),
  }
}
