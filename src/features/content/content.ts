import { randomBytes } from 'node:crypto'
import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { inMegabytes, LIMITS } from '../../model/plan.ts'
import type { Blobs } from '../../platform/blobs/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'

import { newSha256 } from '../../platform/secrets.ts'
import { type Manifest, type Outline, outlineOf } from './manifest.ts'
import { prepare, RELEASE_MAKER } from './release.ts'
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

  loosen(tx: Tx, manifest_ids: string[]): Promise<void>
  get(manifest_id: string): Promise<Manifest>
  outlines(manifest_ids: string[]): Promise<Map<string, Outline>>
  /** What visitors are sent of a manifest, made and stored if it was not before. */
  release(manifest_id: string): Promise<Release>
  /** Finds facts and rewrites references, so that `save` stores the release as well. */
  prepare(staged: Staged): Promise<Staged & { release: Release }>
  /** The same for content that is stored already: nothing to do where it was released before. */
  prepareStored(manifest_id: string): Promise<Staged>
  bytes(hash: string): Promise<Uint8Array>
  /** For sending: bytes where they live in a row, else a handle that reads as it is sent. */
  body(hash: string): Promise<Uint8Array | Blob>
  upload(account: Account, chunks: AsyncIterable<Uint8Array>): Promise<Upload>
  /** @throws Refusal `invalid` naming `param` */
  uploaded(account: Account, id: string, param: string): Promise<Uint8Array>
}

export interface ContentMachines {
  database: Database
  blobs: Blobs
  clock: Clock
}

export function createContent({ database, blobs, clock }: ContentMachines): Content {
  const { read } = database

  async function row(hash: string): Promise<store.BlobRow> {
    const found = await store.findBlob(read, hash)
    if (found === undefined) throw new Error(`Blob ${hash} is missing`)
    return found
  }
  async function body(hash: string): Promise<Uint8Array | Blob> {
    const { data, storage_key, size_bytes } = await row(hash)
    if (data !== null) return data
    // A file that was lost would be sent as an empty one, with every sign of success.
    if ((await blobs.sizeOf(storage_key!)) !== size_bytes)
      throw new Error(`Blob ${hash} is damaged`)
    return blobs.get(storage_key!)
  }
  async function bytes(hash: string): Promise<Uint8Array> {
    const found = await body(hash)
    return found instanceof Blob ? new Uint8Array(await found.arrayBuffer()) : found
  }

  async function get(manifest_id: string): Promise<Manifest> {
    return (await load(manifest_id)).manifest
  }
  async function load(manifest_id: string) {
    const found = await store.findManifest(read, manifest_id)
    if (found === undefined) throw new Error(`Manifest ${manifest_id} is missing`)
    const release = found.release === null ? null : (JSON.parse(found.release) as Release)
    return {
      manifest: JSON.parse(found.manifest) as Manifest,
      release: release?.made_by === RELEASE_MAKER ? release : null,
    }
  }

  /**
   * The blob's row is committed before anything refers to it. The sweeper leaves for an hour what
   * was touched, so the transaction that follows finds it.
   */
  async function keep(hash: string, size_bytes: number, storage_key: string): Promise<void> {
    const kept = await database.write(async (tx) => {
      const touched_at = clock.now()
      await store.markLooseBlobs(tx, [hash], touched_at)
      return store.upsertBlob(tx, { hash, size_bytes, data: null, storage_key, touched_at })
    })
    if (kept !== storage_key) await blobs.delete(storage_key)
  }

  async function putLarge({ at_hand }: Staged): Promise<void> {
    for (const [hash, content] of at_hand) {
      if (content.byteLength <= IN_ROW_BYTES) continue
      const known = await database.write((tx) => store.touchBlobs(tx, [hash], clock.now()))
      if (known > 0) continue
      const storage_key = newStorageKey()
      await blobs.put(storage_key, content)
      await keep(hash, content.byteLength, storage_key)
    }
  }

  async function saveSmall(tx: Tx, at_hand: Staged['at_hand'], touched_at: string): Promise<void> {
    for (const [hash, data] of at_hand) {
      const size_bytes = data.byteLength
      if (size_bytes > IN_ROW_BYTES) continue
      await store.upsertBlob(tx, { hash, size_bytes, data, storage_key: null, touched_at })
    }
  }

  async function save(tx: Tx, { manifest, manifest_id, at_hand, release }: Staged): Promise<void> {
    const touched_at = clock.now()
    await saveSmall(tx, at_hand, touched_at)
    const files = [...manifest.files, ...(release?.files ?? [])]
    const hashes = [...new Set(files.map(({ hash }) => hash))]
    if ((await store.touchBlobs(tx, hashes, touched_at)) !== hashes.length) {
      throw new Error(`Manifest ${manifest_id} names a blob that is gone`)
    }
    const { file, sha256: _, ...outline } = outlineOf(manifest)
    await store.upsertManifest(tx, {
      id: manifest_id,
      manifest: JSON.stringify(manifest),
      ...outline,
      file: file && JSON.stringify(file),
      release: release && JSON.stringify(release),
      touched_at,
    })
    await store.linkBlobs(tx, manifest_id, hashes)
  }

  return {
    putLarge,
    save,
    get,
    bytes,
    body,
    loosen: (tx, ids) => store.markLooseManifests(tx, ids, clock.now()),
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
    async prepareStored(manifest_id) {
      const staged: Staged = { manifest_id, at_hand: new Map(), ...(await load(manifest_id)) }
      return staged.release === null ? prepare(staged, bytes) : staged
    },
    async release(manifest_id) {
      const { manifest, release } = await load(manifest_id)
      if (release !== null) return release
      const staged = await prepare({ manifest, manifest_id, at_hand: new Map(), release }, bytes)
      await putLarge(staged)
      await database.write((tx) => save(tx, staged))
      return staged.release
    },
    async upload(account, chunks) {
      const limit = LIMITS[account.plan].file_bytes
      const storage_key = newStorageKey()
      const hasher = newSha256()
      let size_bytes = 0
      async function* measured() {
        for await (const chunk of chunks) {
          size_bytes += chunk.byteLength
          if (size_bytes > limit) {
            throw refuse.tooLarge(
              'content_too_large',
              `An upload may hold ${inMegabytes(limit)} on the ${account.plan} plan: send less.`,
              { limit, plan: account.plan },
            )
          }
          hasher.update(chunk)
          yield chunk
        }
        if (size_bytes === 0) throw refuse.invalid('empty_upload', 'The upload holds no bytes.')
      }
      await blobs.putStream(storage_key, measured())
      const sha256 = hasher.digest('hex')
      await keep(sha256, size_bytes, storage_key)
      const id = newId('up')
      const created_at = clock.now()
      const expires_at = clock.after(UPLOAD_LIFE_MS)
      const upload = { id, account_id: account.id, hash: sha256, size_bytes }
      await database.write((tx) => store.insertUpload(tx, { ...upload, created_at, expires_at }))
      return { id, sha256, size_bytes, expires_at }
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

/** Never from the content: what the sweeper deletes under one key is never written again. */
function newStorageKey(): string {
  return randomBytes(16).toString('hex')
}
