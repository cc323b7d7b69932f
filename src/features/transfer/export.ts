import type { Account, RequestKey } from '../../model/account.ts'
import { ARCHIVE_FORMAT, type ArchivedBrand, type ArchivedPage } from '../../model/archive.ts'
import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Manifest } from '../../model/manifest.ts'
import type { Page } from '../../model/page/index.ts'
import { withTimeouts } from '../../platform/read-timeouts.ts'
import type { Services } from '../../platform/services.ts'
import { createLimiter } from '../../platform/task-queue.ts'
import { writeZip, type ZipWriter } from '../../platform/zip.ts'
import type { Pages } from '../pages/index.ts'

/** Each takes some megabytes of memory, and reads files and rows all the time. */
const EXPORTS_AT_ONCE = {
  perAccount: { most: 2, refusal: exportRunning },
  total: { most: 8, refusal: tooManyExports },
}
/** How long a reader may take nothing: then others may export. */
const IDLE_TIMEOUT_MS = 30_000
const RETRY_AFTER_S = 60

export interface ExportDeps extends Pick<Services, 'clock' | 'baseUrl'> {
  /** Shorter in tests. */
  idleTimeoutMs?: number
  /** @throws Refusal where the account was suspended or deleted, or the key revoked, meanwhile */
  assertActive(accountId: string, key?: RequestKey | null): Promise<void>
  brandOf(accountId: string): Promise<Omit<ArchivedBrand, 'name'>>
  pages: Pick<Pages, 'idsOf' | 'find' | 'passwordOf' | 'originOf'>
  countersOf(pageIds: string[]): Promise<Map<string, { views: number; max_views: number | null }>>
  versionsOf(pageId: string): Promise<ArchivedPage['versions']>
  getManifest(manifestId: string): Promise<Manifest>
  readFile(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** The page's data from visitors, by the name of its file in the archive. */
  rowsOf(pageId: string): Record<string, AsyncGenerator<object>>
  /** The signed record of a page's approvals; null where it has none. */
  approvalRecord(page: Page): Promise<string | null>
}

/**
 * Builds an archive of all data of an account while it is sent: only a part of one file is in
 * memory at a time. An interrupted archive has no table of contents, so no import accepts it.
 */
export function createExport(deps: ExportDeps) {
  const { clock, idleTimeoutMs = IDLE_TIMEOUT_MS } = deps
  const limiter = createLimiter(EXPORTS_AT_ONCE)

  /** @throws Refusal `export_running`, `too_many_exports` */
  return (account: Account, key?: RequestKey | null): Download => {
    const release = limiter.start(account.id)
    const assertActive = (id: string) => deps.assertActive(id, key)
    const zip = writeZip((zip) => addAll({ ...deps, assertActive }, account, zip))
    return new Download({
      filename: `handbill-${clock.now().slice(0, 10)}.zip`,
      mime: 'application/zip',
      chunks: withTimeouts(zip, { idleTimeoutMs, release }),
    })
  }
}

function exportRunning() {
  return refuse.conflict(
    'export_running',
    'This account is exporting twice already. Wait until one of these downloads has ended.',
    { retry_after_s: RETRY_AFTER_S },
  )
}

function tooManyExports() {
  const message = 'This server is making as many exports as it does at once. Try again in a minute.'
  return refuse.rateLimited('too_many_exports', message, { retry_after_s: RETRY_AFTER_S })
}

async function addAll(deps: ExportDeps, account: Account, zip: ZipWriter): Promise<void> {
  const { email, name, plan } = account
  const ids = await deps.pages.idsOf(account.id)
  const about = {
    format: ARCHIVE_FORMAT,
    server: deps.baseUrl,
    exported_at: deps.clock.now(),
    account: { email, name, plan, ...(await deps.brandOf(account.id)) },
    pages: ids.length,
  }
  zip.add('handbill.json', jsonOf(about))
  const hashes = new Set<string>()
  /** The account may be suspended or deleted, or the key revoked, while the archive is sent. */
  const addLazily: ZipWriter['addLazily'] = (name, open, options) => {
    const openActive = async () => {
      await deps.assertActive(account.id)
      return open()
    }
    zip.addLazily(name, openActive, options)
  }
  for (const [index, id] of ids.entries()) {
    const page = await deps.pages.find(id)
    if (page !== undefined) await addPage(deps, { page, index, hashes }, { ...zip, addLazily })
    if (zip.signal.aborted) return
  }
}

interface Exported {
  page: Page
  index: number
  /** Hashes of the files in the archive already: equal files are in it once. */
  hashes: Set<string>
}

/** Resolves when the archive has got to the page’s last entry, so that no page waits in memory. */
async function addPage(
  deps: ExportDeps,
  { page, index, hashes }: Exported,
  zip: ZipWriter,
): Promise<void> {
  const folder = `pages/${String(index + 1).padStart(5, '0')}-${page.slug}`
  const pageJson = await describe(deps, page)
  if (pageJson === null) return
  for (const { files } of Object.values(pageJson.manifests)) {
    for (const { hash } of files) {
      if (hashes.has(hash)) continue
      hashes.add(hash)
      zip.addLazily(`files/${hash}`, async () => deps.readFile(hash, zip.signal))
    }
  }
  for (const [name, rows] of Object.entries(deps.rowsOf(page.id))) {
    const first = await rows.next()
    if (first.done) continue
    zip.addLazily(`${folder}/${name}.ndjson`, async () => linesOf(first.value, rows))
  }
  const record = await deps.approvalRecord(page)
  if (record !== null) zip.add(`${folder}/approval-record.jws`, Buffer.from(record))
  await new Promise<void>((resolve) => {
    zip.addLazily(`${folder}/page.json`, async () => {
      resolve()
      return one(jsonOf(pageJson))
    })
  })
}

/** @returns null where the page was deleted meanwhile */
async function describe(deps: ExportDeps, page: Page): Promise<ArchivedPage | null> {
  const counter = (await deps.countersOf([page.id])).get(page.id)
  const versions = await deps.versionsOf(page.id)
  if (counter === undefined || versions.length === 0) return null
  const ids = new Set([page.draft_id, ...versions.map(({ manifest_id: id }) => id)])
  if (page.published_id !== null) ids.add(page.published_id)
  const manifests: ArchivedPage['manifests'] = {}
  for (const id of ids) manifests[id] = await deps.getManifest(id)
  return {
    id: page.id,
    origin: await deps.pages.originOf(page.id),
    slug: page.slug,
    title: page.title,
    settings: page.settings,
    password: deps.pages.passwordOf(page),
    source: page.source,
    created_at: page.created_at,
    updated_at: page.updated_at,
    published_at: page.published_at,
    ...counter,
    draft: page.draft_id,
    published: page.published_id,
    versions,
    manifests,
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function* linesOf(first: object, rest: AsyncIterable<object>): AsyncGenerator<Buffer> {
  yield jsonOf(first)
  for await (const row of rest) yield jsonOf(row)
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
