import type { Batches } from '../../model/batches.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'

/** The bytes that one transaction stores, during which other writes have to wait. */
const BATCH_BYTES = 128 * 1024
const BATCH_ROWS = 100

/** Appends rows to a temporary file, until all data of the page is checked. */
export async function stageRows<T>(file: StagingFile, rows: AsyncIterable<T>): Promise<Batches<T>> {
  const places: { position: number; length: number }[] = []
  let count = 0
  let texts: string[] = []
  let size = 0

  async function flush(): Promise<void> {
    if (texts.length === 0) return
    const bytes = Buffer.from(`[${texts.join()}]`)
    places.push({ position: await file.append(bytes), length: bytes.byteLength })
    texts = []
    size = 0
  }

  for await (const row of rows) {
    const text = JSON.stringify(row)
    count += 1
    size += text.length
    texts.push(text)
    if (size >= BATCH_BYTES || texts.length >= BATCH_ROWS) await flush()
  }
  await flush()
  return {
    count,
    *[Symbol.iterator]() {
      for (const { position, length } of places) {
        const bytes = Buffer.allocUnsafe(length)
        file.read(bytes, position)
        yield JSON.parse(bytes.toString()) as T[]
      }
    },
  }
}

export type StagingFile = ReturnType<typeof createStagingFile>

/** A file for the rows of one page. It is made when there are any. */
export function createStagingFile(create: () => Promise<TemporaryFile>) {
  let file: TemporaryFile | null = null
  let size = 0
  return {
    /** @returns the position of the bytes */
    async append(bytes: Uint8Array): Promise<number> {
      file ??= await create()
      await file.append(bytes)
      size += bytes.byteLength
      return size - bytes.byteLength
    },
    read: (target: Uint8Array, position: number) => file!.readAtSync(target, position),
    close: async () => file?.close(),
  }
}
