import type { ContentSpace } from '../../platform/content-space.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { prepareRelease, RELEASE_FORMAT } from './release.ts'
import {
  type Manifest,
  type Outline,
  outlineOf,
  type Release,
  type Staged,
  sizeOf,
} from './staging.ts'
import * as store from './store.ts'
import { createStoredBlobs } from './stored-blobs.ts'
import { dueSoon } from './sweeper.ts'
import { createContentTexts } from './texts.ts'
import { type ContentWork, createContentMemory } from './work.ts'

export type Content = ReturnType<typeof createContent>

export interface ContentDeps extends Pick<Services, 'database' | 'blobs' | 'clock'> {
  /** New content must fit into it. What is made of stored content for visitors need not. */
  space: ContentSpace
  work: ContentWork
}

export function createContent(deps: ContentDeps) {
  const { database, clock, work } = deps
  const { read } = database
  const storedBlobs = createStoredBlobs(deps)
  const { bytes, pieces, body, putAhead, putStream, putSmall } = storedBlobs
  const releaseDeps = { readBlob: bytes, putAhead, work }
  const memory = createContentMemory()

  /**
   * Stores the rest, within the transaction that points a page at it.
   * @throws Error when a blob that the manifest names is gone
   */
  async function save(tx: Tx, staged: Staged): Promise<void> {
    const { manifestId, newBlobs } = staged
    const touchedAt = clock.now()
    const newHashes = await putSmall(tx, newBlobs, touchedAt)
    const links = linksOf(staged)
    const others = new Set(links.map(({ hash }) => hash)).difference(newHashes)
    if (others.size > 0 && (await store.touchBlobs(tx, [...others], touchedAt)) !== others.size) {
      throw new Error(`A blob is gone that manifest ${manifestId} names`)
    }
    await store.upsertManifests(tx, [rowOf(staged, touchedAt)])
    await store.linkBlobs(tx, links)
  }

  /** Stored content, staged with its release, which is new where there is none of this format. */
  async function stageStored(manifestId: string): Promise<Staged & { release: Release }> {
    const row = await findRow(read, manifestId)
    const staged = { manifestId, manifest: manifestOf(row), newBlobs: new Map() }
    const release = releaseOf(row)
    if (release !== null) return { ...staged, release }
    const prepared = await prepareRelease({ ...staged, release }, releaseDeps)
    await storedBlobs.putLarge(prepared.newBlobs)
    return prepared
  }

  /** Adds the release, and stores the blobs that are too large for a row. */
  async function storeRelease(staged: Staged): Promise<Staged & { release: Release }> {
    storedBlobs.assertFits(staged.newBlobs)
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
    putStream,
    putSmall,
    ...createContentTexts({ bytes, pieces, work, getManifest, holdMemory: memory.hold }),
    putAhead,
    /** Stores all blobs ahead, in short transactions. @returns the content without their bytes */
    async putFiles(staged: Staged, isPublished: boolean): Promise<Staged> {
      const ready = isPublished ? await prepareRelease(staged, releaseDeps) : staged
      await storedBlobs.putAll(ready.newBlobs)
      return ready
    },
    save,
    /** Marks these manifests for the sweeper: they may have lost their last reference. */
    markUnreferenced: (tx: Tx, manifestIds: string[]) =>
      store.manifestCandidates.mark(tx, manifestIds, dueSoon(clock)),
    getManifest,
    async outlines(manifestIds: string[]): Promise<Map<string, Outline>> {
      const rows = await store.findOutlines(read, [...new Set(manifestIds)])
      return new Map(rows.map((row) => [row.id, outlineOfRow(row)]))
    },
    storeRelease,
    stageStored,
    /** The total stored content of all pages. Equal files are stored once. */
    totals: async () => (await store.sumBlobs(read, []))!,
    /** The release of a manifest; makes and stores it where there is none of the current format. */
    async getRelease(manifestId: string): Promise<Release> {
      const row = await findRow(read, manifestId)
      const release = releaseOf(row)
      if (release !== null) return release
      return memory.hold(sizeOf(manifestOf(row)), async () => {
        const staged = await stageStored(manifestId)
        await database.write((tx) => save(tx, staged))
        return staged.release
      })
    },
  }
}

async function findRow(db: Db, manifestId: string): Promise<store.ManifestRow> {
  const row = await store.findManifest(db, [manifestId])
  if (row === undefined) throw new Error(`Manifest ${manifestId} is missing`)
  return row
}

/** The blobs of a manifest and its release. */
function linksOf({ manifest, manifestId, release }: Staged) {
  const outputs = release?.files ?? []
  const originals = outputs.flatMap(({ original = [] }) => original)
  const files = [...manifest.files, ...outputs, ...originals]
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
