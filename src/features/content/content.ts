import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { inMegabytes, LIMITS } from '../../model/plan.ts'
import {
  type BlobBody,
  type Blobs,
  type ByteRange,
  newBlobKey,
  readBlobBody,
} from '../../platform/blobs/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'

import { newSha256 } from '../../platform/secrets.ts'
import { type Manifest, type Outline, outlineOf } from './manifest.ts'
import { prepare, RELEASE_FORMAT } from './release.ts'
import type { Release, Staged } from './staging.ts'
import * as store from './store.ts'

/** Content up to this size lives in its row: one commit stores it, one read serves it. */
const IN_ROW_BYTES = 64 * 1024
const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000

export interface Upload {
  id: string
  sha256: string
  size_bytes: number
  expires_at: string
}

export interface Content {
  /** Stores what is too large for a row, ahead of the transaction that `save`s the rest. */
  putLarge(staged: Staged): Promise<void>
  /** Within the transaction that points at it. @throws Error when a blob it names is gone */
  save(tx: Tx, staged: Staged): Promise<void>
  /** Tells the sweeper that these may have lost their last reference. */

  markUnreferenced(tx: Tx, manifestIds: string[]): Promise<void>
  get(manifestId: string): Promise<Manifest>
  outlines(manifestIds: string[]): Promise<Map<string, Outline>>
  /** What visitors are sent of a manifest, made and stored if it was not before. */
  release(manifestId: string): Promise<Release>
  /** Finds facts and rewrites references, so that `save` stores the release as well. */
  prepare(staged: Staged): Promise<Staged & { release: Release }>
  /** The same for content that is stored already: nothing to do where it was released before. */
  prepareStored(manifestId: string): Promise<Staged>
  bytes(hash: string): Promise<Uint8Array>
  /** For a response: the bytes where they live in a row, else a blob to open. */
  body(hash: string): Promise<Uint8Array | StoredContent>
  upload(account: Account, chunks: AsyncIterable<Uint8Array>): Promise<Upload>
  /** @throws Refusal `invalid` naming `param` */
  uploaded(account: Account, id: string, param: string): Promise<Uint8Array>
}

/** Content in the blob store: a response opens the part that it sends. */
export interface StoredContent {
  sizeBytes: number
  open(range: ByteRange, signal?: AbortSignal): Promise<BlobBody>
}

export interface ContentDeps {
  database: Database
  blobs: Blobs
  clock: Clock
}

export function createContent({ database, blobs, clock }: ContentDeps): Content {
  const { read } = database

  async function row(hash: string): Promise<store.BlobRow> {
    const found = await store.findBlob(read, hash)
    if (found === undefined) throw new Error(`Blob ${hash} is missing`)
    return found
  }
  async function body(hash: string): Promise<Uint8Array | StoredContent> {
    const { data, storage_key: storageKey, size_bytes: sizeBytes } = await row(hash)
    if (data !== null) return data
    return { sizeBytes, open: (range, signal) => blobs.open(storageKey!, range, signal) }
  }
  async function bytes(hash: string): Promise<Uint8Array> {
    const found = await body(hash)
    if (found instanceof Uint8Array) return found
    return readBlobBody(await found.open({ start: 0, end: found.sizeBytes }))
  }

  async function get(manifestId: string): Promise<Manifest> {
    return (await load(manifestId)).manifest
  }
  async function load(manifestId: string) {
    const found = await store.findManifest(read, manifestId)
    if (found === undefined) throw new Error(`Manifest ${manifestId} is missing`)
    const release = found.release === null ? null : (JSON.parse(found.release) as Release)
    return {
      manifest: JSON.parse(found.manifest) as Manifest,
      release: release?.made_by === RELEASE_FORMAT ? release : null,
    }
  }

  /**
   * The blob's row is committed before anything refers to it. The sweeper leaves for an hour what
   * was touched, so the transaction that follows finds it.
   */
  async function keep(hash: string, sizeBytes: number, storageKey: string): Promise<void> {
    const kept = await database.write(async (tx) => {
      const touchedAt = clock.now()
      await store.markLooseBlobs(tx, [hash], touchedAt)
      return store.upsertBlob(tx, {
        hash,
        size_bytes: sizeBytes,
        data: null,
        storage_key: storageKey,
        touched_at: touchedAt,
      })
    })
    if (kept !== storageKey) await blobs.delete(storageKey)
  }

  async function putLarge({ newBlobs }: Staged): Promise<void> {
    for (const [hash, content] of newBlobs) {
      if (content.byteLength <= IN_ROW_BYTES) continue
      const known = await database.write((tx) => store.touchBlobs(tx, [hash], clock.now()))
      if (known > 0) continue
      const storageKey = newBlobKey()
      await blobs.put(storageKey, content)
      await keep(hash, content.byteLength, storageKey)
    }
  }

  async function saveSmall(tx: Tx, newBlobs: Staged['newBlobs'], touchedAt: string): Promise<void> {
    for (const [hash, data] of newBlobs) {
      const sizeBytes = data.byteLength
      if (sizeBytes > IN_ROW_BYTES) continue
      await store.upsertBlob(tx, {
        hash,
        size_bytes: sizeBytes,
        data,
        storage_key: null,
        touched_at: touchedAt,
      })
    }
  }

  async function save(tx: Tx, { manifest, manifestId, newBlobs, release }: Staged): Promise<void> {
    const touchedAt = clock.now()
    await saveSmall(tx, newBlobs, touchedAt)
    const files = [...manifest.files, ...(release?.files ?? [])]
    const hashes = [...new Set(files.map(({ hash }) => hash))]
    if ((await store.touchBlobs(tx, hashes, touchedAt)) !== hashes.length) {
      throw new Error(`Manifest ${manifestId} names a blob that is gone`)
    }
    const { file, sha256: _, ...outline } = outlineOf(manifest)
    await store.upsertManifest(tx, {
      id: manifestId,
      manifest: JSON.stringify(manifest),
      ...outline,
      file: file && JSON.stringify(file),
      release: release && JSON.stringify(release),
      touched_at: touchedAt,
    })
    await store.linkBlobs(tx, manifestId, hashes)
  }

  return {
    putLarge,
    save,
    get,
    bytes,
    body,
    markUnreferenced: (tx, ids) => store.markLooseManifests(tx, ids, clock.now()),
    async outlines(ids) {
      const rows = await store.findOutlines(read, [...new Set(ids)])
      return new Map(
        rows.map(({ id, file, single, kind, ...outline }) => [
          id,
          {
            ...outline,
            kind: kind as Manifest['kind'],
            sha256: single && (JSON.parse(single) as Manifest).files[0]!.hash,
            file: file === null ? null : (JSON.parse(file) as Outline['file']),
          },
        ]),
      )
    },
    prepare: (staged) => prepare(staged, bytes),
    async prepareStored(manifestId) {
      const staged: Staged = {
        manifestId,
        newBlobs: new Map(),
        ...(await load(manifestId)),
      }
      return staged.release === null ? prepare(staged, bytes) : staged
    },
    async release(manifestId) {
      const { manifest, release } = await load(manifestId)
      if (release !== null) return release
      const staged = await prepare({ manifest, manifestId, newBlobs: new Map(), release }, bytes)
      await putLarge(staged)
      await database.write((tx) => save(tx, staged))
      return staged.release
    },
    async upload(account, chunks) {
      const limit = LIMITS[account.plan].fileBytes
      const storageKey = newBlobKey()
      const hasher = newSha256()
      let sizeBytes = 0
      async function* measured() {
        for await (const chunk of chunks) {
          sizeBytes += chunk.byteLength
          if (sizeBytes > limit) {
            throw refuse.tooLarge(
              'content_too_large',
              `An upload may hold ${inMegabytes(limit)} on the ${account.plan} plan: send less.`,
              { limit, plan: account.plan },
            )
          }
          hasher.update(chunk)
          yield chunk
        }
        if (sizeBytes === 0) throw refuse.invalid('empty_upload', 'The upload holds no bytes.')
      }
      await blobs.put(storageKey, measured())
      const sha256 = hasher.digest('hex')
      await keep(sha256, sizeBytes, storageKey)
      const id = newId('up')
      const createdAt = clock.now()
      const expiresAt = clock.after(UPLOAD_LIFE_MS)
      const upload = { id, account_id: account.id, hash: sha256, size_bytes: sizeBytes }
      await database.write((tx) =>
        store.insertUpload(tx, { ...upload, created_at: createdAt, expires_at: expiresAt }),
      )
      return { id, sha256, size_bytes: sizeBytes, expires_at: expiresAt }
    },
    async uploaded(account, id, param) {
      const upload = isId('up', id)
        ? await store.findUpload(read, account.id, id, clock.now())
        : undefined
      if (upload !== undefined) return bytes(upload.hash)
      throw refuse.invalid(
        'upload_not_found',
        `There is no upload ${id}: it was never made, or its 24 hours are over.`,
        { param },
      )
    },
  }
}
