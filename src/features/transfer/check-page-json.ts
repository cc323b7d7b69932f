import { inChunks } from '../../platform/db/chunks.ts'
import { isModestJson } from '../../platform/json-limits.ts'
import { archivedPage } from './format.ts'

/** More than a file of this size has that an export made. */
const MAX_VALUES = 250_000
/** So many are looked up in one turn of the event loop. */
const HASHES = 4000

/** What `page.json` says, or why it is none. */
export type PageJson =
  | {
      /** JSON of everything but the manifests. */
      page: string
      /** JSON of each manifest by its id: copying their values would take longer. */
      manifests: Record<string, string>
      /** Of their files, each once: lists with spaces between them, each for one turn. */
      hashes: string[]
    }
  | { problem: string }

/** Checks the `page.json` of an archive. */
export function checkPageJson({ bytes }: { bytes: Uint8Array }): PageJson {
  if (!isModestJson(bytes, MAX_VALUES)) return { problem: 'has too many values' }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return { problem: 'is no JSON' }
  }
  const { success, data, error } = archivedPage.safeParse(value)
  if (!success) {
    return { problem: `is not valid at ${error.issues[0]?.path.join('.') || 'its root'}` }
  }
  const { manifests, ...page } = data
  const files = Object.values(manifests).flatMap((manifest) => manifest.files)
  const hashes = [...new Set(files.map(({ hash }) => hash))]
  const texts = Object.entries(manifests).map(([id, each]) => [id, JSON.stringify(each)])
  return {
    page: JSON.stringify(page),
    manifests: Object.fromEntries(texts),
    hashes: [...inChunks(hashes, HASHES)].map((some) => some.join(' ')),
  }
}
