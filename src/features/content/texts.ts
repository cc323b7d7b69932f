import { LRUCache } from 'lru-cache'
import { JsonStream, JsonText } from '../../model/json-text.ts'
import { type Manifest, type ManifestFile, markdownSources } from '../../model/manifest.ts'
import { MAX_MATCHES } from '../../model/page/facts.ts'
import { createChanges } from './changes/changes.ts'
import type { Edit } from './edits/edits.ts'
import type { TextToFind } from './html/find-text.ts'
import { countUris, htmlJson } from './html/omit-data-uris.ts'
import { renderedFiles } from './markdown.ts'
import { createFindPassages, type PassagesDeps } from './passages.ts'
import type { SourceFile } from './staging.ts'
import { createContentMemory, READS } from './work.ts'

type StoredFile = Pick<ManifestFile, 'hash' | 'size_bytes'>

interface TextsDeps extends PassagesDeps {
  /** The bytes of a file by its hash, piece by piece. */
  pieces(hash: string): AsyncIterable<Uint8Array>
  getManifest(id: string): Promise<Manifest>
}

const MAX_PDFS = 1000

/** What is read from the text of stored content, and made of it. */
export function createContentTexts(deps: TextsDeps) {
  const { bytes, pieces, work, holdMemory } = deps
  const readMemory = createContentMemory(READS)
  /** The sheets of PDFs by their hash: each comment on a spot asks for them. */
  const sheets = new LRUCache<string, { count: number | null }>({ max: MAX_PDFS })

  return {
    /** How the text of one manifest differs from that of another, within limits. */
    changesBetween: createChanges(deps),
    /** Finds passages in the text of a stored HTML file. */
    findPassages: createFindPassages(deps),
    /** The most sheets that a stored PDF can have; null where it does not say so readably. */
    async sheetsOf({ hash, size_bytes }: StoredFile): Promise<number | null> {
      const cached = sheets.get(hash)
      if (cached !== undefined) return cached.count
      const count = await holdMemory(size_bytes, async () =>
        work.run('countSheets', { bytes: await bytes(hash) }),
      )
      sheets.set(hash, { count })
      return count
    },
    /**
     * A stored file as a string of JSON, whole or without its long data: URIs. Holds memory.
     *
     * @returns also what was left out
     */
    async readHtml({ hash, size_bytes }: StoredFile, { full }: { full: boolean }) {
      const hold = size_bytes > READS.totalBytes ? holdMemory : readMemory.hold
      const { json, jsonBytes, uris } = await hold(size_bytes, async () =>
        work.run('readHtml', { bytes: await bytes(hash), full }),
      )
      const stream = () => htmlJson(pieces(hash), uris)
      const html = json === null ? new JsonStream(jsonBytes, stream) : new JsonText<string>(json)
      return { html, elided: countUris(uris) }
    },
    /** Applies edits, as `applyEdits` does. @returns the new HTML with its hash */
    editHtml: (bytes: Uint8Array, edits: readonly Edit[], maxBytes: number) =>
      work.run('editHtml', { bytes, edits, maxBytes }, bytes.byteLength + growthBy(edits)),
    /** The edited Markdown of a manifest, and the HTML that is made of it. */
    async renderMarkdown(manifest: Manifest, source: SourceFile): Promise<SourceFile[]> {
      const sources = [...markdownSources(manifest)]
      const pages = new Map(sources.map(([page, { path }]) => [path, page]))
      const ofDeck = manifest.kind === 'bundle' && { pages }
      return renderedFiles(work, { ...source, ...ofDeck }, pages.get(source.path)!)
    },
    /** Finds each place of a text in a stored HTML file. Holds memory. */
    findText: ({ hash, size_bytes }: StoredFile, text: Omit<TextToFind, 'bytes'>) =>
      holdMemory(size_bytes, async () =>
        work.run('findText', { bytes: await bytes(hash), ...text }),
      ),
  }
}

/** The most characters that edits can add to a text. */
function growthBy(edits: readonly Edit[]): number {
  let chars = 0
  for (const { replace, replace_all: all } of edits) {
    chars += replace.length * (all === true ? MAX_MATCHES : 1)
  }
  return chars
}
