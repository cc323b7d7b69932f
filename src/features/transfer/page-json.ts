import type { Threads } from '../../platform/threads.ts'
import { movable, takeTurn } from '../../platform/turns.ts'
import { type Archive, BadEntry } from './archive.ts'
import { checkPageJson, type PageJson } from './check-page-json.ts'
import type { ArchivedManifest, ArchivedPage } from './format.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** A larger file is parsed and checked in a thread. */
const DIRECT_BYTES = 64 * 1024

/** `page.json` of an archive, which is checked. */
export interface CheckedPage {
  page: Omit<ArchivedPage, 'manifests'>
  manifestOf(id: string): ArchivedManifest | undefined
  /** Of all files of all manifests, each once. */
  hashes(): AsyncGenerator<string>
}

/** Reads the `page.json` in a folder of an archive. @throws BadEntry */
export type ReadPage = (archive: Archive, folder: string) => Promise<CheckedPage>

export function createReadPage(threads: Pick<Threads, 'run'>): ReadPage {
  async function check(bytes: Buffer): Promise<PageJson> {
    if (bytes.byteLength <= DIRECT_BYTES) {
      await takeTurn()
      return checkPageJson({ bytes })
    }
    const result = await threads.run('checkPageJson', async () => {
      const moved = await movable(bytes)
      return { input: { bytes: moved }, transfer: [moved.buffer] }
    })
    return result as PageJson
  }

  return async (archive, folder) => {
    const checked = await check(await archive.read(`${folder}page.json`, MAX_BYTES))
    if ('problem' in checked) throw new BadEntry(`Its page.json ${checked.problem}.`)
    const { page, manifests, hashes } = checked
    return {
      page: JSON.parse(page) as CheckedPage['page'],
      manifestOf(id) {
        if (!Object.hasOwn(manifests, id)) return undefined
        return JSON.parse(manifests[id]!) as ArchivedManifest
      },
      async *hashes() {
        for (const some of hashes) {
          await takeTurn()
          yield* some.split(' ')
        }
      },
    }
  }
}
