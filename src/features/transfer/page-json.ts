import { type ArchivedPage, archivedPage } from '../../model/archive.ts'
import { isModestJson } from '../../model/json-text.ts'
import { movable, takeTurn } from '../../platform/promises.ts'
import type { Threads } from '../../platform/threads.ts'
import { type Archive, BadEntry } from './archive.ts'

/** Of a deck of 200 files with 200 versions that have names, as nothing prunes these. */
const MAX_BYTES = 8 * 1024 * 1024
/** More than a file of this size has that an export made. */
const MAX_VALUES = 250_000
/** A larger file is parsed and checked in a thread. */
const DIRECT_BYTES = 64 * 1024

/** Reads and checks the `page.json` in a folder of an archive. @throws BadEntry */
export async function readPageJson(
  threads: Pick<Threads, 'run'>,
  archive: Archive,
  folder: string,
): Promise<ArchivedPage> {
  const result = await check(threads, await archive.read(`${folder}page.json`, MAX_BYTES))
  if (typeof result === 'string') throw new BadEntry(`Its page.json ${result}.`)
  return result
}

async function check(threads: Pick<Threads, 'run'>, bytes: Buffer) {
  if (bytes.byteLength <= DIRECT_BYTES) {
    await takeTurn()
    return checkPageJson({ bytes })
  }
  const result = await threads.run('checkPageJson', async () => {
    const own = await movable(bytes)
    return { input: { bytes: own }, transfer: [own.buffer] }
  })
  return result as ReturnType<typeof checkPageJson>
}

/** @returns what is wrong where it is none */
export function checkPageJson({ bytes }: { bytes: Uint8Array }): ArchivedPage | string {
  if (!isModestJson(bytes, MAX_VALUES)) return 'has too many values'
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return 'is no JSON'
  }
  const { success, data, error } = archivedPage.safeParse(value)
  return success ? data : `is not valid at ${error.issues[0]?.path.join('.') || 'its root'}`
}

/** What takes more than a turn of the event loop where the file is large. */
export const TRANSFER_TASKS = { checkPageJson }
