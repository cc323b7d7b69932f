import { LRUCache } from 'lru-cache'
import { isMarkdownSource, type Manifest, type ManifestFile } from '../../../model/manifest.ts'
import type { ContentChanges, FileChange } from '../contract.ts'
import { bytesIn } from '../staging.ts'
import type { ContentWork } from '../work.ts'
import type { ComparedHtml } from './compare-html.ts'

/** HTML beyond this total size of both sides is reported as changed, without its text. */
const MAX_HTML_BYTES = 8 * 1024 * 1024
/** Of all files together. */
const MAX_LINES = 400
/** The size of the cache in characters of JSON. Content is immutable, so results stay valid. */
const CACHE_CHARS = 16 * 1024 * 1024

interface ChangesDeps {
  getManifest(manifestId: string): Promise<Manifest>
  bytes(hash: string): Promise<Uint8Array>
  work: Pick<ContentWork, 'run'>
}

/** Finds the differences between the texts of two contents, file by file, within limits. */
export function createChanges(deps: ChangesDeps) {
  async function compare(beforeId: string, afterId: string): Promise<ContentChanges> {
    const [before, after] = await Promise.all([
      deps.getManifest(beforeId),
      deps.getManifest(afterId),
    ])
    const budget = { bytes: MAX_HTML_BYTES, lines: MAX_LINES }
    const result: ContentChanges = { passages: 0, files: [], is_cut: false }
    for (const change of changedFiles(before, after)) {
      const comparison = await compareFile(change, deps, budget)
      budget.lines -= comparison?.lines.length ?? 0
      const { path, state } = change
      result.files.push({ path, state, lines: comparison?.lines ?? null })
      result.is_cut ||= comparison?.isCut ?? false
      // An added, removed or binary file is one passage.
      const isCounted = state === 'changed' && comparison !== null
      result.passages += isCounted ? comparison.passages : 1
    }
    return result
  }

  const cache = new LRUCache<string, ContentChanges>({
    maxSize: CACHE_CHARS,
    sizeCalculation: (changes) => JSON.stringify(changes).length,
    // Who waits for a comparison gets it, also where others have taken its place meanwhile.
    ignoreFetchAbort: true,
    fetchMethod(key) {
      const [beforeId, afterId] = key.split(' ') as [string, string]
      return compare(beforeId, afterId)
    },
  })

  return async (beforeId: string, afterId: string): Promise<ContentChanges> =>
    beforeId === afterId
      ? { passages: 0, files: [], is_cut: false }
      : (await cache.fetch(`${beforeId} ${afterId}`))!
}

interface ChangedFile extends Pick<FileChange, 'path' | 'state'> {
  before: ManifestFile | undefined
  after: ManifestFile | undefined
}

/** A page with one file keeps it, whatever its name is. */
function changedFiles(before: Manifest, after: Manifest): ChangedFile[] {
  if (before.kind === 'single' && after.kind === 'single') {
    const [old, next] = [before.files[0], after.files[0]]
    return old?.hash === next?.hash
      ? []
      : [{ path: '', state: 'changed', before: old, after: next }]
  }
  const visible = ({ files }: Manifest) => files.filter((file) => !isMarkdownSource(file))
  const olds = new Map(visible(before).map((file) => [file.path, file]))
  const news = new Map(visible(after).map((file) => [file.path, file]))
  const paths = [...new Set([...news.keys(), ...olds.keys()])]
  return paths.flatMap((path) => {
    const [old, next] = [olds.get(path), news.get(path)]
    if (old?.hash === next?.hash) return []
    const state = old === undefined ? 'added' : next === undefined ? 'removed' : 'changed'
    return [{ path, state, before: old, after: next }]
  })
}

/** @returns null for a file without text, and beyond the limits */
async function compareFile(
  { before, after }: ChangedFile,
  { bytes, work }: ChangesDeps,
  budget: { bytes: number; lines: number },
): Promise<ComparedHtml | null> {
  const sides = [before, after].filter((file) => file !== undefined)
  if (!sides.every(({ mime }) => mime.startsWith('text/html'))) return null
  budget.bytes -= bytesIn(sides)
  if (budget.bytes < 0) return null
  const [old, next] = await Promise.all(
    [before, after].map(async (file) => (file ? bytes(file.hash) : new Uint8Array())),
  )
  const both = { bytes: Buffer.concat([old!, next!]), splitAt: old!.byteLength }
  return work.run('compareHtml', { ...both, maxLines: budget.lines })
}
