import { LRUCache } from 'lru-cache'
import { JsonStream, JsonText } from '../../model/json-text.ts'
import { markdownSources } from '../../model/manifest.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { createChanges } from './changes/changes.ts'
import type { Edit } from './edits/edits.ts'
import type { TextToFind } from './html/find-text.ts'
import { countUris, htmlJson, type OmittedDataUris } from './html/omit-data-uris.ts'
import { createFindPassages, type PassagesDeps } from './passages.ts'
import { prepareRelease, RELEASE_FORMAT } from './release.ts'
import {
  type Manifest,
  type ManifestFile,
  type Outline,
  outlineOf,
  type Release,
  type SourceFile,
  type Staged,
  sizeOf,
} from './staging.ts'
import * as store from './store.ts'
import { createStoredBlobs } from './stored-blobs.ts'
import { dueSoon } from './sweeper.ts'
import { type ContentWork, createContentMemory, READS } from './work.ts'

export type Content = ReturnType<typeof createContent>

type HtmlFile = Pick<ManifestFile, 'hash' | 'size_bytes'>

interface ReadHtml {
  html: JsonText<string> | JsonStream
  /** What was left out. */
  elided: OmittedDataUris
}

export interface ContentTotals {
  files: number
  bytes: number
  /** Those in the database, which are small. */
  bytes_in_database: number
}

export interface ContentDeps extends Pick<Services, 'database' | 'blobs' | 'clock'> {
  /** New content must fit into it. What is made of stored content for visitors need not. */
  space: ContentSpace
  work: ContentWork
}

export function createContent(deps: ContentDeps) {
  const { database, blobs, space, clock, work } = deps
  const { read } = database
  const storedBlobs = createStoredBlobs({ database, blobs, clock })
  const { bytes, pieces, body, putStream } = storedBlobs
  const releaseDeps = { readBlob: bytes, putAhead, work }
  const memory = createContentMemory()
  const readMemory = createContentMemory(READS)

  /**
   * Stores the rest, within the transaction that points a page at it.
   * @throws Error when a blob that the manifest names is gone
   */
  async function save(tx: Tx, staged: Staged): Promise<void> {
    const { manifestId, newBlobs } = staged
    const touchedAt = clock.now()
    const written = await storedBlobs.putSmall(tx, newBlobs, touchedAt)
    const links = linksOf(staged)
    const others = new Set(links.map(({ hash }) => hash)).difference(written)
    if (others.size > 0 && (await store.touchBlobs(tx, [...others], touchedAt)) !== others.size) {
      throw new Error(`A blob is gone that manifest ${manifestId} names`)
    }
    await store.upsertManifest(tx, rowOf(staged, touchedAt))
    await store.linkBlobs(tx, links)
  }

  /** Stored content, staged with its release, which is new where there is none of this format. */
  async function stageStored(manifestId: string): Promise<Staged & { release: Release }> {
    const row = await findRow(read, manifestId)
    const staged = { manifestId, manifest: manifestOf(row), newBlobs: new Map() }
    const release = releaseOf(row)
    return release === null
      ? prepareRelease({ ...staged, release }, releaseDeps)
      : { ...staged, release }
  }

  function assertFits(newBlobs: Staged['newBlobs']): void {
    const bytes = bytesIn(newBlobs)
    if (bytes > 0) space.assertFits(bytes)
  }

  async function putAll(newBlobs: Staged['newBlobs']): Promise<void> {
    assertFits(newBlobs)
    await storedBlobs.putLarge(newBlobs)
    await storedBlobs.putSmallAhead(newBlobs)
    newBlobs.clear()
  }

  /** Stores blobs ahead where they are too many for memory, and takes them out of the map. */
  async function putAhead(newBlobs: Staged['newBlobs']): Promise<void> {
    if (newBlobs.size > HELD_BLOBS || bytesIn(newBlobs) > HELD_BYTES) await putAll(newBlobs)
  }

  async function* fitting(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      space.assertFits(chunk.byteLength)
      yield chunk
    }
  }

  /** Adds the release, and stores the blobs that are too large for a row. */
  async function storeRelease(staged: Staged): Promise<Staged & { release: Release }> {
    assertFits(staged.newBlobs)
    const prepared = await prepareRelease(staged, releaseDeps)
    await storedBlobs.putLarge(prepared.newBlobs)
    return prepared
  }

  const getManifest = async (id: string) => manifestOf(await findRow(read, id))

  return {
    bytes,
    pieces,
    body,
    /** For work on large content: `getRelease` does it itself. */
    holdMemory: memory.hold,
    putStream: (chunks: AsyncIterable<Uint8Array>) => putStream(fitting(chunks)),
    /** Stores what is too large for a row, ahead of the transaction that calls `save`. */
    putLarge: ({ newBlobs }: Staged) => storedBlobs.putLarge(newBlobs),
    putAhead,
    /** Stores all blobs ahead, in short transactions. @returns the content without their bytes */
    async putFiles<T extends Staged>(staged: T): Promise<T> {
      await putAll(staged.newBlobs)
      return staged
    },
    save,
    /** Marks these manifests for the sweeper: they may have lost their last reference. */
    markUnreferenced: (tx: Tx, manifestIds: string[]) =>
      store.markUnreferencedManifests(tx, manifestIds, dueSoon(clock)),
    getManifest,
    /** How the text of one manifest differs from that of another, within limits. */
    changesBetween: createChanges({ getManifest, bytes, work }),
    /** Finds passages in the text of a stored HTML file. */
    findPassages: createFindPassages({ bytes, work, holdMemory: memory.hold }),
    sheetsOf: createSheetsOf({ bytes, work, holdMemory: memory.hold }),
    async outlines(manifestIds: string[]): Promise<Map<string, Outline>> {
      const rows = await store.findOutlines(read, [...new Set(manifestIds)])
      return new Map(rows.map((row) => [row.id, outlineOfRow(row)]))
    },
    /** Adds the release to staged content, so that `save` stores it as well. */
    prepareRelease: (staged: Staged) => prepareRelease(staged, releaseDeps),
    storeRelease,
    /** A stored file as a string of JSON, whole or without its long data: URIs. Holds memory. */
    async readHtml({ hash, size_bytes }: HtmlFile, { full }: { full: boolean }): Promise<ReadHtml> {
      const hold = size_bytes > READS.totalBytes ? memory.hold : readMemory.hold
      const { json, jsonBytes, uris } = await hold(size_bytes, async () =>
        work.run('readHtml', { bytes: await bytes(hash), full }),
      )
      const stream = () => htmlJson(pieces(hash), uris)
      const html = json === null ? new JsonStream(jsonBytes, stream) : new JsonText<string>(json)
      return { html, elided: countUris(uris) }
    },
    /** Applies edits, as `applyEdits` does. @returns the new HTML with its hash */
    editHtml: (bytes: Uint8Array, edits: readonly Edit[], maxBytes: number) =>
      work.run('editHtml', { bytes, edits, maxBytes }),
    /** The edited Markdown of a manifest, and the HTML that is made of it. */
    async renderMarkdown(manifest: Manifest, source: SourceFile): Promise<SourceFile[]> {
      const { renderedFiles } = await import('./markdown.ts')
      const sources = [...markdownSources(manifest)]
      const pages = new Map(sources.map(([page, { path }]) => [path, page]))
      const ofDeck = manifest.kind === 'bundle' && { pages }
      return renderedFiles(work, { ...source, ...ofDeck }, pages.get(source.path)!)
    },
    /** Finds each place of a text in a stored HTML file. Holds memory. */
    findText: ({ hash, size_bytes }: HtmlFile, text: Omit<TextToFind, 'bytes'>) =>
      memory.hold(size_bytes, async () =>
        work.run('findText', { bytes: await bytes(hash), ...text }),
      ),
    stageStored,
    /** The total stored content of all pages. Equal files are stored once. */
    totals: () => store.sumBlobs(read),
    /** The release of a manifest; makes and stores it where there is none of the current format. */
    async getRelease(manifestId: string): Promise<Release> {
      const row = await findRow(read, manifestId)
      const release = releaseOf(row)
      if (release !== null) return release
      return memory.hold(sizeOf(manifestOf(row)), async () => {
        const staged = await stageStored(manifestId)
        await storedBlobs.putLarge(staged.newBlobs)
        await database.write((tx) => save(tx, staged))
        return staged.release
      })
    },
  }
}

/** What new content may hold in memory while its other files are read. */
const HELD_BYTES = 16 * 1024 * 1024
const HELD_BLOBS = 500

function bytesIn(newBlobs: Staged['newBlobs']): number {
  return newBlobs.values().reduce((sum, { byteLength }) => sum + byteLength, 0)
}

async function findRow(db: Db, manifestId: string): Promise<store.ManifestRow> {
  const row = await store.findManifest(db, manifestId)
  if (row === undefined) throw new Error(`Manifest ${manifestId} is missing`)
  return row
}

/** The blobs of a manifest and its release. */
function linksOf({ manifest, manifestId, release }: Staged) {
  const released = release?.files ?? []
  const originals = released.flatMap(({ original = [] }) => original)
  const files = [...manifest.files, ...released, ...originals]
  const hashes = new Set(files.map(({ hash }) => hash))
  return [...hashes].map((hash) => ({ manifest_id: manifestId, hash }))
}

function rowOf({ manifest, manifestId, release }: Staged, touchedAt: string) {
  const { file, sha256: _, ...outline } = outlineOf(manifest)
  return {
    id: manifestId,
    manifest: JSON.stringify(manifest),
    ...outline,
    file: file && JSON.stringify(file),
    release: release && JSON.stringify(release),
    needs_origin: release && JSON.stringify(release.needs_origin),
    touched_at: touchedAt,
  }
}

function manifestOf({ manifest }: store.ManifestRow): Manifest {
  return JSON.parse(manifest) as Manifest
}

/** @returns null where there is no release of the current format */
function releaseOf({ release: json }: store.ManifestRow): Release | null {
  const release = json === null ? null : (JSON.parse(json) as Release)
  return release?.format === RELEASE_FORMAT ? release : null
}

function outlineOfRow(row: store.OutlineRow): Outline {
  const { id: _, file, single, kind, needs_origin, ...outline } = row
  return {
    ...outline,
    needs_origin: JSON.parse(needs_origin ?? '[]') as Outline['needs_origin'],
    kind: kind as Manifest['kind'],
    sha256: single && (JSON.parse(single) as Manifest).files[0]!.hash,
    file: file === null ? null : (JSON.parse(file) as Outline['file']),
  }
}

const MAX_FILES = 1000

/** The most sheets that a stored PDF can have; null where it does not say so readably. */
type SheetsOf = (file: Pick<ManifestFile, 'hash' | 'size_bytes'>) => Promise<number | null>

function createSheetsOf({ bytes, work, holdMemory }: PassagesDeps): SheetsOf {
  /** By the hash of their file. */
  const counted = new LRUCache<string, { sheets: number | null }>({ max: MAX_FILES })

  return async ({ hash, size_bytes }) => {
    const cached = counted.get(hash)
    if (cached !== undefined) return cached.sheets
    const sheets = await holdMemory(size_bytes, async () =>
      work.run('countSheets', { bytes: await bytes(hash) }),
    )
    counted.set(hash, { sheets })
    return sheets
  }
}
