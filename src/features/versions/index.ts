import type { z } from 'zod'
import { refuse } from '../../model/errors.ts'
import type { JsonStream, JsonText } from '../../model/json-text.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  assetsOf,
  type Content,
  entryFile,
  htmlFileOf,
  isHtml,
  type Manifest,
  type Splice,
} from '../content/index.ts'
import {
  getVersion,
  listVersions,
  nameVersion,
  type VersionRecord,
  type versionContent,
} from './contract.ts'
import * as store from './store.ts'

export { findWithoutContent } from './store.ts'

/** How many unnamed versions of a page are kept. */
const MAX_UNNAMED = 50
/** The limits of stored edits of a page, and of replacements in one edit. */
const MAX_EDITS = 1000
const MAX_SPLICES = 1000
const PRUNE_EVERY = 100
/** What the editor saves by itself within this time is one version. */
const AUTOSAVE_MS = 10 * 60_000
/** What the editor saved by itself, among the interfaces that versions come from. */
export const AUTOSAVE = 'autosave'

export type VersionSource = VersionRecord['source']
type VersionContent = z.output<typeof versionContent>

interface NewVersion {
  pageId: string
  /** The owner of the page, for whom its bytes count. */
  accountId: string
  manifestId: string
  sizeBytes: number
  source: VersionSource
  /** The manifest that visitors see; pruning keeps its version. */
  publishedId: string | null
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

interface FileEdit {
  pageId: string
  fromHash: string
  toHash: string
  splices: Splice[]
}

interface VersionsDeps extends Pick<Services, 'database' | 'clock'> {
  content: Pick<Content, 'getManifest' | 'readHtml' | 'markUnreferenced'>
  /** Counts what the versions of accounts take. @throws Refusal `quota_reached` */
  addStored(tx: Tx, growths: { id: string; bytes: number }[]): Promise<void>
}

export function createVersions(deps: VersionsDeps) {
  const { database, content, clock, addStored } = deps
  const { read } = database

  async function append(tx: Tx, version: NewVersion, versionNo: number): Promise<void> {
    const { pageId, accountId, publishedId, sizeBytes } = version
    await store.insertVersions(tx, [rowOf(version, versionNo, clock.now())])
    await addStored(tx, [{ id: accountId, bytes: sizeBytes }])
    if (versionNo <= MAX_UNNAMED) return
    await forget(tx, accountId, await store.prune(tx, pageId, { keep: MAX_UNNAMED, publishedId }))
  }

  async function forget(tx: Tx, accountId: string, deleted: store.DeletedVersions): Promise<void> {
    await addStored(tx, [{ id: accountId, bytes: -deleted.bytes }])
    await content.markUnreferenced(tx, deleted.manifestIds)
  }

  return {
    /**
     * Saves content under the next number, unless the newest version has the same content. Then a
     * publish marks that version as published. A restore is always saved.
     *
     * @returns the number of the version with the content
     * @throws Refusal `quota_reached`, as the other two that save
     */
    async save(tx: Tx, version: NewVersion) {
      const { pageId, manifestId, source } = version
      const newest = await store.findNewest(tx, pageId)
      if (newest?.manifest_id !== manifestId || source === 'restore') {
        const versionNo = (newest?.version_no ?? 0) + 1
        await append(tx, version, versionNo)
        if (newest !== undefined && isSuperseded(newest, version, clock.ms())) {
          const deleted = await store.deleteOne(tx, pageId, newest.version_no)
          await forget(tx, version.accountId, deleted)
        }
        return versionNo
      }
      const isKept = newest.via === AUTOSAVE && version.author && version.author.via !== AUTOSAVE
      if (isKept)
        await store.setAuthor(tx, { pageId, versionNo: newest.version_no }, version.author!)
      const isPublished = source === 'publish' && newest.source === 'edit'
      if (isPublished) await store.setSource(tx, { pageId, versionNo: newest.version_no }, source)
      return newest.version_no
    },
    /** Saves the first version of a new page. */
    saveFirst: (tx: Tx, version: NewVersion) => append(tx, version, 1),
    list: async ({ id }: Page) =>
      (await store.listVersions(read, id)) as Omit<VersionRow, 'manifest_id'>[],
    /** @throws Refusal `version_not_found`, as the next two do, `wrong_kind`, `file_not_found` */
    async get(page: Page, versionNo: number, file?: string): Promise<VersionContent> {
      const { manifest_id, ...record } = await find(read, page, versionNo)
      const manifest = await content.getManifest(manifest_id)
      return { ...(record as VersionRecord), ...(await contentOf(content, manifest, file)) }
    },
    manifestOf: async (page: Page, versionNo: number) =>
      (await find(read, page, versionNo)).manifest_id,
    count: (pageId: string) => store.countVersions(read, pageId),
    /** The number of the newest kept version with this content; null if there is none. */
    numberOf: (pageId: string, manifestId: string, db: Db = read) =>
      store.findNumber(db, pageId, manifestId),
    async name({ id: pageId }: Page, versionNo: number, label: string | null) {
      const version = { pageId, versionNo }
      const row = await database.write((tx) => store.setLabel(tx, version, label))
      return (row ?? notFound(versionNo)) as VersionRecord
    },
    /**
     * Stores how find-and-replace changed a file. An edit with too many replacements is not stored.
     */
    async recordEdit(tx: Tx, { pageId, fromHash, toHash, splices }: FileEdit) {
      if (fromHash === toHash || splices.length > MAX_SPLICES) return
      const editNo = await store.insertEdit(tx, {
        page_id: pageId,
        from_hash: fromHash,
        to_hash: toHash,
        splices: JSON.stringify(splices.map(({ start, end, length }) => [start, end, length])),
        created_at: clock.now(),
      })
      if (editNo % PRUNE_EVERY === 0) await store.deleteEditsTo(tx, pageId, editNo - MAX_EDITS)
    },
    /**
     * The edits that lead from one state of a page's file to another, by the hashes of both.
     *
     * @returns null if there were other writes between the two
     */
    async editsBetween(pageId: string, states: { from: string; to: string }) {
      if (states.from === states.to) return []
      const path = findEditPath(await store.listEdits(read, pageId), states)
      if (path === null) return null
      const editNos = path.map(({ edit_no }) => edit_no)
      const splices = await store.findSplices(read, pageId, editNos)
      return path.map(({ edit_no, isUndo }) => {
        const ofEdit = parseSplices(splices.get(edit_no)!)
        return isUndo ? invertSplices(ofEdit) : ofEdit
      })
    },
    /** Stores the versions of an imported page. */
    async insertAll(tx: Tx, { id: pageId, account_id }: OwnedPage, rows: readonly VersionRow[]) {
      await store.insertVersions(
        tx,
        rows.map((row) => ({ ...row, page_id: pageId })),
      )
      const bytes = sumOf(rows.map((row) => row.size_bytes))
      await addStored(tx, [{ id: account_id, bytes }])
    },
    /** All versions of a page with the ids of their manifests, oldest first. */
    rowsOf: async (pageId: string) => (await store.listRows(read, pageId)) as VersionRow[],
    async deleteAll(tx: Tx, { id: pageId, account_id }: OwnedPage) {
      await forget(tx, account_id, await store.deleteAll(tx, pageId))
    },
    /** Those of the given manifests that some version has. */
    manifestsInUse: store.manifestsInUse,
  }
}
export type Versions = ReturnType<typeof createVersions>

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

type Newest = NonNullable<Awaited<ReturnType<typeof store.findNewest>>>

/** Whether the newest version and the next one are of the same typing. */
function isSuperseded(newest: Newest, next: NewVersion, now: number): boolean {
  const isOfTyping = newest.via === AUTOSAVE && next.author?.via === AUTOSAVE
  const isSpare = newest.source === 'edit' && newest.label === null
  const isRecent = Math.abs(now - Date.parse(newest.created_at)) < AUTOSAVE_MS
  return isOfTyping && isSpare && isRecent && newest.manifest_id !== next.publishedId
}

function rowOf(version: NewVersion, versionNo: number, now: string) {
  const { pageId, manifestId, sizeBytes, source } = version
  return {
    page_id: pageId,
    version_no: versionNo,
    source,
    label: null,
    manifest_id: manifestId,
    size_bytes: sizeBytes,
    created_at: now,
    via: version.author?.via ?? null,
    key_name: version.author?.key_name ?? null,
  }
}

function parseSplices(text: string): Splice[] {
  const rows = JSON.parse(text) as [start: number, end: number, length: number][]
  return rows.map(([start, end, length]) => ({ start, end, length }))
}

async function find(db: Db, { id: pageId }: Page, versionNo: number) {
  return (await store.findVersion(db, { pageId, versionNo })) ?? notFound(versionNo)
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

/** An edit call that made one file from another, by the hashes of both. */
export interface EditEdge {
  edit_no: number
  from_hash: string
  to_hash: string
}

interface EditStep {
  edit_no: number
  /** Whether the step undoes the edit. */
  isUndo: boolean
}

/**
 * Finds the shortest way from one state of a file to another, through edits and back through undone
 * ones.
 * @returns null if there were other writes between the two
 */
export function findEditPath(
  edges: readonly EditEdge[],
  { from, to }: { from: string; to: string },
): EditStep[] | null {
  const steps = new Map<string, { step: EditStep; next: string }[]>()
  const addStep = (hash: string, step: { step: EditStep; next: string }) =>
    steps.set(hash, [...(steps.get(hash) ?? []), step])
  for (const { edit_no, from_hash, to_hash } of edges) {
    addStep(from_hash, { step: { edit_no, isUndo: false }, next: to_hash })
    addStep(to_hash, { step: { edit_no, isUndo: true }, next: from_hash })
  }
  /** For each state: the step that led to it, and the state before. */
  const reached = new Map<string, { step: EditStep; previous: string } | null>([[from, null]])
  for (const hash of reached.keys()) {
    if (hash === to) return pathTo(to, reached)
    for (const { step, next } of steps.get(hash) ?? []) {
      if (!reached.has(next)) reached.set(next, { step, previous: hash })
    }
  }
  return null
}

function pathTo(
  to: string,
  reached: ReadonlyMap<string, { step: EditStep; previous: string } | null>,
): EditStep[] {
  const path: EditStep[] = []
  for (let at = reached.get(to); at; at = reached.get(at.previous)) path.unshift(at.step)
  return path
}

/** The inverse of a change. */
export function invertSplices(splices: readonly Splice[]): Splice[] {
  let shift = 0
  return splices.map(({ start, end, length }) => {
    const inverse = { start: start + shift, end: start + shift + length, length: end - start }
    shift += length - (end - start)
    return inverse
  })
}

export function versionOperations(versions: Versions): Operation[] {
  return [
    implement(listVersions, async ({ page }, { with_use }) => {
      const all = await versions.list(page)
      if (!with_use) return { data: all.map(({ via, key_name, ...record }) => record) }
      const { id, draft_id, published_id } = page
      const draftNo = await versions.numberOf(id, draft_id)
      const liveNo = published_id === null ? null : await versions.numberOf(id, published_id)
      return {
        data: all.map((version) => ({
          ...version,
          is_draft: version.version_no === draftNo,
          is_live: version.version_no === liveNo,
        })),
      }
    }),
    implement(getVersion, async ({ page }, { version_no, file }) => ({
      data: await versions.get(page, version_no, file),
    })),
    implement(nameVersion, async ({ page }, { version_no, label }) => ({
      data: await versions.name(page, version_no, label),
    })),
  ]
}
