import { refuse } from '../../model/errors.ts'
import type { JsonStream, JsonText } from '../../model/json-text.ts'
import { operationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  assetsOf,
  bytesIn,
  type Content,
  entryFile,
  htmlFileOf,
  isHtml,
  type Manifest,
  type Staged,
  sizeOf,
} from '../content/index.ts'
import type { VersionRecord } from './contract.ts'
import * as contract from './contract.ts'
import { createFileEdits } from './edits.ts'
import * as store from './store.ts'

export { findWithoutContent } from './store.ts'

/** How many unnamed versions of a page are kept. */
const MAX_UNNAMED = 50
/** What the editor saves by itself within this time is one version. */
const AUTOSAVE_MS = 10 * 60_000
/** What the editor saved by itself, among the interfaces that versions come from. */
export const AUTOSAVE = 'autosave'

export type VersionSource = VersionRecord['source']

/** A write of a page's draft, in the form in which other features are notified of it. */
export interface DraftWrite {
  pageId: string
  /** The version that has its content. */
  versionNo: number
  /** Whether visitors see that version now. */
  isLive: boolean
  /** The comments that the write resolves. */
  addresses: readonly string[]
  /** The version that was restored: later changes are not in the draft. */
  restoredNo: number | null
}

/**
 * Runs in the transaction of the write: it awaits only the database; its failure rolls back both.
 */
export type DraftListener = (tx: Tx, write: DraftWrite) => Promise<void>

interface NewVersion {
  /** Its bytes count for the owner, and pruning keeps the version that visitors see. */
  page: OwnedPage & Pick<Page, 'published_id'>
  content: Pick<Staged, 'manifest' | 'manifestId'>
  source: VersionSource
  author?: VersionAuthor | undefined
}

/** What a version comes from: an interface or `AUTOSAVE`, and the name of an API key. */
export interface VersionAuthor {
  via: string
  key_name: string | null
}

type OwnedPage = Pick<Page, 'id' | 'account_id'>

export interface VersionRow extends VersionRecord {
  via: string | null
  key_name: string | null
  manifest_id: string
}

interface VersionsDeps extends Pick<Services, 'database' | 'clock'> {
  content: Pick<Content, 'getManifest' | 'readHtml' | 'markUnreferenced'>
  /** Counts what the versions of accounts take. @throws Refusal `quota_reached` */
  addStored(tx: Tx, accountId: string, bytes: number): Promise<void>
}

export function createVersions(deps: VersionsDeps) {
  const { database, content, clock, addStored } = deps
  const { read } = database

  async function append(tx: Tx, version: NewVersion, versionNo: number): Promise<void> {
    const row = rowOf(version, versionNo, clock.now())
    await store.insertVersions(tx, [row])
    const { id, account_id, published_id } = version.page
    await addStored(tx, account_id, row.size_bytes)
    if (versionNo <= MAX_UNNAMED) return
    const deleted = await store.prune(tx, [id, MAX_UNNAMED - 1, published_id ?? ''])
    await forget(tx, account_id, deleted)
  }

  async function forget(tx: Tx, accountId: string, deleted: store.DeletedVersion[]) {
    await addStored(tx, accountId, -bytesIn(deleted))
    const ids = deleted.map((row) => row.manifest_id)
    await content.markUnreferenced(tx, ids)
  }

  return {
    ...createFileEdits(deps),
    /**
     * Saves content under the next number, unless the newest version has the same content. Then a
     * publish marks that version as published. A restore is always saved.
     *
     * @returns the number of the version with the content
     * @throws Refusal `quota_reached`, as the other two that save
     */
    async save(tx: Tx, version: NewVersion) {
      const { page, content, source } = version
      const { id: pageId, account_id } = page
      const newest = await store.findNewest(tx, [pageId])
      if (newest?.manifest_id !== content.manifestId || source === 'restore') {
        const versionNo = (newest?.version_no ?? 0) + 1
        await append(tx, version, versionNo)
        if (newest !== undefined && isSuperseded(newest, version, clock.ms())) {
          await forget(tx, account_id, await store.deleteVersions(tx, pageId, newest.version_no))
        }
        return versionNo
      }
      const key = { pageId, versionNo: newest.version_no }
      const isKept = newest.via === AUTOSAVE && version.author && version.author.via !== AUTOSAVE
      if (isKept) await store.updateVersion(tx, key, version.author!)
      const isPublished = source === 'publish' && newest.source === 'edit'
      if (isPublished) await store.updateVersion(tx, key, { source })
      return newest.version_no
    },
    /** Saves the first version of a new page. */
    saveFirst: (tx: Tx, version: NewVersion) => append(tx, version, 1),
    /** All versions of a page, newest first. */
    list: async (pageId: string) => (await store.listVersions(read, [pageId])) as VersionRow[],
    /** @throws Refusal `version_not_found`, as the next two do, `wrong_kind`, `file_not_found` */
    async get(page: Page, versionNo: number, file?: string) {
      const { manifest_id, ...record } = await find(read, page, versionNo)
      const manifest = await content.getManifest(manifest_id)
      return { ...(record as VersionRecord), ...(await contentOf(content, manifest, file)) }
    },
    manifestOf: async (page: Page, versionNo: number) =>
      (await find(read, page, versionNo)).manifest_id,
    count: (pageId: string) => store.countVersions(read, [pageId]),
    /** The number of the newest kept version with this content; null if there is none. */
    numberOf: async (pageId: string, manifestId: string, db: Db = read) =>
      (await store.findNewestWith(db, [pageId, manifestId]))?.version_no ?? null,
    async name({ id: pageId }: Page, versionNo: number, label: string | null) {
      const key = { pageId, versionNo }
      const row = await database.write((tx) => store.updateVersion(tx, key, { label }))
      return (row ?? notFound(versionNo)) as VersionRecord
    },
    /** Stores the versions of an imported page. */
    async insertAll(tx: Tx, { id: pageId, account_id }: OwnedPage, rows: readonly VersionRow[]) {
      const own = rows.map((row) => ({ ...row, page_id: pageId }))
      await store.insertVersions(tx, own)
      await addStored(tx, account_id, bytesIn(rows))
    },
    async deleteAll(tx: Tx, { id: pageId, account_id }: OwnedPage) {
      await forget(tx, account_id, await store.deleteVersions(tx, pageId))
    },
    /** Those of the given manifests that some version has. */
    manifestsInUse: store.manifestsInUse,
  }
}
export type Versions = ReturnType<typeof createVersions>

type Newest = NonNullable<Awaited<ReturnType<typeof store.findNewest>>>

/** Whether the newest version and the next one are of the same typing. */
function isSuperseded(newest: Newest, next: NewVersion, now: number): boolean {
  const isOfTyping = newest.via === AUTOSAVE && next.author?.via === AUTOSAVE
  const isSpare = newest.source === 'edit' && newest.label === null
  const isRecent = Math.abs(now - Date.parse(newest.created_at)) < AUTOSAVE_MS
  return isOfTyping && isSpare && isRecent && newest.manifest_id !== next.page.published_id
}

function rowOf({ page, content, source, author }: NewVersion, versionNo: number, now: string) {
  return {
    page_id: page.id,
    version_no: versionNo,
    source,
    label: null,
    manifest_id: content.manifestId,
    size_bytes: sizeOf(content.manifest),
    created_at: now,
    via: author?.via ?? null,
    key_name: author?.key_name ?? null,
  }
}

async function find(db: Db, { id: pageId }: Page, versionNo: number) {
  return (await store.findVersion(db, [pageId, versionNo])) ?? notFound(versionNo)
}

async function contentOf(content: Pick<Content, 'readHtml'>, manifest: Manifest, path?: string) {
  const { kind, entry, file_name } = manifest
  const files = path === undefined ? manifest.files.filter(isHtml) : [htmlFileOf(manifest, path)]
  const texts: { path: string; html: JsonText<string> | JsonStream }[] = []
  for (const file of files) {
    const { html } = await content.readHtml(file, { full: true })
    texts.push({ path: file.path, html })
  }
  if (path !== undefined) return { kind, entry, files: texts }
  const assets = assetsOf(manifest)
  if (kind === 'bundle') return { kind, entry, files: texts, assets }
  if (file_name === null) return { kind, html: texts[0]!.html }
  const { mime, size_bytes } = entryFile(manifest)
  return { kind, file: { name: file_name, mime, size_bytes }, assets }
}

function notFound(versionNo: number): never {
  throw refuse.notFound('version_not_found', `This page has no version ${versionNo}.`)
}

export function versionOperations(versions: Versions) {
  return operationsOf(contract, {
    listVersions: async ({ page }, { with_use }) => {
      const all = await versions.list(page.id)
      if (!with_use) return all.map(({ via, key_name, ...record }) => record)
      const { id, draft_id, published_id } = page
      const draftNo = await versions.numberOf(id, draft_id)
      const liveNo = published_id === null ? null : await versions.numberOf(id, published_id)
      return all.map((version) => ({
        ...version,
        is_draft: version.version_no === draftNo,
        is_live: version.version_no === liveNo,
      }))
    },
    getVersion: ({ page }, { version_no, file }) => versions.get(page, version_no, file),
    nameVersion: ({ page }, { version_no, label }) => versions.name(page, version_no, label),
  })
}
