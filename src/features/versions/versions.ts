import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { type Content, isHtml, type Manifest } from '../content/index.ts'
import type { VersionRecord, versionContent } from './contract.ts'
import * as store from './store.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Unnamed versions a page keeps. */
const KEPT = 50

export type VersionSource = VersionRecord['source']
type VersionContent = import('zod').output<typeof versionContent>

export interface Versions {
  /**
   * Records content under the next number, unless the newest version holds the same: a publish
   * then marks that one as published. A restore is always recorded.
   *
   * @returns the number of the version that holds the content
   */
  save(tx: Tx, saved: Saved): Promise<number>
  list(page: Page): Promise<VersionRecord[]>
  get(page: Page, versionNo: number): Promise<VersionContent>
  /** The manifest of a version. @throws Refusal `version_not_found` */
  manifestOf(page: Page, versionNo: number): Promise<string>
  name(page: Page, versionNo: number, label: string | null): Promise<VersionRecord>
  deleteAll(tx: Tx, pageId: string): Promise<void>
  manifestsInUse(tx: Tx, manifestIds: string[]): Promise<string[]>
}

export interface Saved {
  pageId: string
  manifestId: string
  sizeBytes: number
  source: VersionSource
  /** What visitors see after this, which pruning must leave. */
  publishedId: string | null
}

export function createVersions({
  database,
  content,
  clock,
}: {
  database: Database
  content: Content
  clock: Clock
}): Versions {
  const { read } = database

  async function getRow(page: Page, versionNo: number) {
    const row = await store.findVersion(read, page.id, versionNo)
    return row ?? notFound(versionNo)
  }

  return {
    async save(tx, { pageId, manifestId, sizeBytes, source, publishedId }) {
      const newest = await store.findNewest(tx, pageId)
      if (newest?.manifest_id === manifestId && source !== 'restore') {
        if (source === 'publish' && newest.source === 'edit') {
          await store.setSource(tx, pageId, newest.version_no, source)
        }
        return newest.version_no
      }
      const versionNo = (newest?.version_no ?? 0) + 1
      const record = {
        page_id: pageId,
        version_no: versionNo,
        source,
        label: null,
        manifest_id: manifestId,
        size_bytes: sizeBytes,
      }
      await store.insertVersion(tx, { ...record, created_at: clock.now() })
      if (versionNo > KEPT) {
        await content.markUnreferenced(
          tx,
          await store.prune(tx, pageId, { keep: KEPT, publishedId }),
        )
      }
      return versionNo
    },
    async list(page) {
      return (await store.listVersions(read, page.id)) as VersionRecord[]
    },
    async get(page, versionNo) {
      const { manifest_id: manifestId, ...record } = await getRow(page, versionNo)
      const manifest = await content.getManifest(manifestId)
      return { ...(record as VersionRecord), ...(await contentOf(content, manifest)) }
    },
    manifestOf: async (page, versionNo) => (await getRow(page, versionNo)).manifest_id,
    async name(page, versionNo, label) {
      const row = await database.write((tx) => store.setLabel(tx, page.id, versionNo, label))
      return (row ?? notFound(versionNo)) as VersionRecord
    },
    async deleteAll(tx, pageId) {
      await content.markUnreferenced(tx, await store.deleteAll(tx, pageId))
    },
    manifestsInUse: store.manifestsInUse,
  }
}

async function contentOf(content: Content, manifest: Manifest) {
  const { kind, entry, file_name: fileName } = manifest
  const files = manifest.files.filter(isHtml)
  const texts: { path: string; html: string }[] = []
  for (const { path, hash } of files) {
    texts.push({ path, html: utf8.decode(await content.bytes(hash)) })
  }
  if (kind === 'bundle') return { kind, entry, files: texts }
  const [only] = manifest.files
  return fileName === null
    ? { kind, html: texts[0]!.html }
    : { kind, file: { name: fileName, mime: only!.mime, size_bytes: only!.size_bytes } }
}

function notFound(versionNo: number): never {
  throw refuse.notFound('version_not_found', `This page has no version ${versionNo}.`)
}
