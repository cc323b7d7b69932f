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
  get(page: Page, version_no: number): Promise<VersionContent>
  /** The manifest of a version. @throws Refusal `version_not_found` */
  manifestOf(page: Page, version_no: number): Promise<string>
  name(page: Page, version_no: number, label: string | null): Promise<VersionRecord>
  deleteAll(tx: Tx, page_id: string): Promise<void>
  manifestsInUse(tx: Tx, manifest_ids: string[]): Promise<string[]>
}

export interface Saved {
  page_id: string
  manifest_id: string
  size_bytes: number
  source: VersionSource
  /** What visitors see after this, which pruning must leave. */
  live_id: string | null
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

  async function getRow(page: Page, version_no: number) {
    const row = await store.findVersion(read, page.id, version_no)
    return row ?? notFound(version_no)
  }

  return {
    async save(tx, { page_id, manifest_id, size_bytes, source, live_id }) {
      const newest = await store.findNewest(tx, page_id)
      if (newest?.manifest_id === manifest_id && source !== 'restore') {
        if (source === 'publish' && newest.source === 'edit') {
          await store.setSource(tx, page_id, newest.version_no, source)
        }
        return newest.version_no
      }
      const version_no = (newest?.version_no ?? 0) + 1
      const record = { page_id, version_no, source, label: null, manifest_id, size_bytes }
      await store.insertVersion(tx, { ...record, created_at: clock.now() })
      if (version_no > KEPT) {
        await content.loosen(tx, await store.prune(tx, page_id, { keep: KEPT, live_id }))
      }
      return version_no
    },
    async list(page) {
      return (await store.listVersions(read, page.id)) as VersionRecord[]
    },
    async get(page, version_no) {
      const { manifest_id, ...record } = await getRow(page, version_no)
      const manifest = await content.get(manifest_id)
      return { ...(record as VersionRecord), ...(await contentOf(content, manifest)) }
    },
    manifestOf: async (page, version_no) => (await getRow(page, version_no)).manifest_id,
    async name(page, version_no, label) {
      const row = await database.write((tx) => store.setLabel(tx, page.id, version_no, label))
      return (row ?? notFound(version_no)) as VersionRecord
    },
    async deleteAll(tx, page_id) {
      await content.loosen(tx, await store.deleteAll(tx, page_id))
    },
    manifestsInUse: store.manifestsInUse,
  }
}

async function contentOf(content: Content, manifest: Manifest) {
  const { kind, entry, file_name } = manifest
  const files = manifest.files.filter(isHtml)
  const texts: { path: string; html: string }[] = []
  for (const { path, hash } of files) {
    texts.push({ path, html: utf8.decode(await content.bytes(hash)) })
  }
  if (kind === 'bundle') return { kind, entry, files: texts }
  const [only] = manifest.files
  return file_name === null
    ? { kind, html: texts[0]!.html }
    : { kind, file: { name: file_name, mime: only!.mime, size_bytes: only!.size_bytes } }
}

function notFound(version_no: number): never {
  throw refuse.notFound('version_not_found', `This page has no version ${version_no}.`)
}
