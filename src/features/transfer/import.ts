import type { Account, RequestKey } from '../../model/account.ts'
import {
  type ArchivedBrand,
  type ArchivedPage,
  archiveAbout,
  type Batches,
} from '../../model/archive.ts'
import { Refusal } from '../../model/errors.ts'
import { isModestJson } from '../../model/json-text.ts'
import type { RawBody } from '../../model/operation.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import { takeTurn } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import type { Threads } from '../../platform/threads.ts'
import { MAX_RECORD_BYTES } from '../approvals/index.ts'
import type { PageImport, Pages } from '../pages/index.ts'
import { type Archive, BadEntry, contentIn, notAnArchive, openArchive } from './archive.ts'
import type { ImportedPage } from './contract.ts'
import { createImportLimits, type ImportLimits, receive } from './import-limits.ts'
import { readPageJson } from './page-json.ts'
import { type ArchivedRows, batchesOf, MAX_LINE_CHARS, ROW_FILES } from './rows.ts'

const MB = 1024 * 1024
const SIGNED_RECORD = 'approval-record.jws'
/** The rows, or characters of rows, that are checked in one turn of the event loop. */
const TURN_ROWS = 100
const TURN_CHARS = 256 * 1024
/** A longer row has few values for its size: one that is all values takes long to parse. */
const SHORT_CHARS = 16 * 1024
const MAX_ROW_VALUES = 5000
const DAY_MS = 86_400_000

export interface PageToImport extends Omit<PageImport, 'addRows'> {
  rows: ArchivedRows
}

export interface ImportDeps extends Pick<Services, 'temporaryFiles' | 'clock' | 'baseUrl'> {
  /** @throws Refusal where the account was suspended or deleted meanwhile */
  assertActive(accountId: string, key?: RequestKey | null): Promise<void>
  threads: Pick<Threads, 'run'>
  /** Where archives wait and pages are stored. */
  space: ContentSpace
  findSame: Pages['findSame']
  /** Gives the account what the archive has of name, accent and logo, where it has none. */
  takeBrand(account: Account, brand: ArchivedBrand): Promise<void>
  /** Stores a page completely, or nothing of it. @throws Refusal, BadEntry */
  importPage(account: Account, page: PageToImport): Promise<{ id: string; slug: string }>
}

export function createImport(deps: ImportDeps) {
  const limits = createImportLimits(deps.space)
  return async (account: Account, body: RawBody, key?: RequestKey | null) => {
    const end = limits.begin(account.id)
    const assertActive = (id: string) => deps.assertActive(id, key)
    try {
      return await importArchive({ ...deps, limits, assertActive }, account, body)
    } finally {
      end()
    }
  }
}

type Deps = ImportDeps & { limits: ImportLimits }

async function importArchive(deps: Deps, account: Account, body: RawBody) {
  const { limits } = deps
  const file = await deps.temporaryFiles.create()
  try {
    limits.assertArchiveFits(body.declaredBytes ?? 0)
    const archive = await openArchive(file, await receive(body, file))
    const { server = '', account: brand } = await readAbout(archive)
    if (brand !== undefined) await deps.takeBrand(account, brand)
    const results: ImportedPage[] = []
    const pages = archive.names.filter((name) => name.endsWith('/page.json')).sort()
    for (const name of pages) {
      await deps.assertActive(account.id)
      const folder = name.slice(0, -'page.json'.length)
      results.push(await importFolder(deps, account, { archive, folder, server }))
    }
    return results
  } finally {
    await file.close()
  }
}

async function readAbout(archive: Archive) {
  try {
    return archiveAbout.parse(parseJson(await archive.read('handbill.json', MB)))
  } catch {
    throw notAnArchive('its handbill.json is missing, or of another version')
  }
}

interface Folder {
  archive: Archive
  /** With a slash at its end. */
  folder: string
}

async function importFolder(
  deps: Deps,
  account: Account,
  { archive, folder, server }: Folder & { server: string },
): Promise<ImportedPage> {
  const none = { id: null, slug: null, url: null }
  let summary: Pick<ImportedPage, 'from_slug' | 'title' | 'left_out'> = {
    from_slug: folder.split('/')[1]!,
    title: null,
    left_out: leftOut(archive, folder),
  }
  try {
    const page = await readPageJson(deps.threads, archive, folder)
    summary = { ...summary, from_slug: page.slug, title: page.title }
    const origin = page.origin ?? { server, page_id: page.id }
    const ids = [...new Set([origin.page_id, page.id])]
    const same = await deps.findSame(account, { slug: page.slug, ids })
    if (same !== null) {
      const reason = same.hasSlugAlone
        ? 'This account has a page with this slug already.'
        : `This account has this page already: its slug is ${same.page.slug}.`
      return { ...summary, ...none, status: 'skipped', reason }
    }
    deps.limits.assertFits(sizeOf(archive, page))
    const latest = deps.clock.after(DAY_MS)
    const rows = {} as Record<keyof ArchivedRows, Batches<unknown>>
    for (const name of Object.keys(ROW_FILES) as (keyof ArchivedRows)[]) {
      rows[name] = await batchesOf(() => readRows({ archive, folder, latest }, name))
    }
    const contentOf = (id: string) => contentIn(archive, account, page.manifests[id])
    const input = { page, origin, contentOf, rows: rows as ArchivedRows }
    const { id, slug } = await deps.importPage(account, input)
    const url = `${deps.baseUrl}/p/${slug}`
    return { ...summary, status: 'imported', reason: null, id, slug, url }
  } catch (err) {
    if (err instanceof BadEntry || err instanceof Refusal) {
      return { ...summary, ...none, status: 'failed', reason: err.message }
    }
    throw err
  }
}

/** A record that is larger than any that people decide about stays where it is. */
function leftOut(archive: Archive, folder: string): string[] {
  const size = archive.sizeOf(folder + SIGNED_RECORD) ?? 0
  return size > MAX_RECORD_BYTES ? ['signed record of approvals'] : []
}

/** The most space that a page needs on the disk while it is imported. */
function sizeOf(archive: Archive, { manifests }: ArchivedPage): number {
  const files = Object.values(manifests).flatMap((manifest) => manifest.files)
  const hashes = new Set(files.map(({ hash }) => hash))
  return [...hashes].reduce((sum, hash) => sum + (archive.sizeOf(`files/${hash}`) ?? 0), 0)
}

interface RowsToRead extends Folder {
  /** Nothing was written later. */
  latest: Timestamp
}

async function* readRows(
  from: RowsToRead,
  file: keyof ArchivedRows,
): AsyncGenerator<[row: unknown, chars: number]> {
  const { archive, folder, latest } = from
  const name = `${folder}${file}.ndjson`
  const { row, maxBytes, maxRows } = ROW_FILES[file]
  const what = file.replaceAll('_', ' ')
  let count = 0
  if (file === 'approval_records') yield* signedRecord(archive, folder)
  if (archive.sizeOf(name) === undefined) return
  for await (const line of archive.lines(name, { maxBytes, maxLineChars: MAX_LINE_CHARS })) {
    count += 1
    await takeTurn(Math.max(1 / TURN_ROWS, line.length / TURN_CHARS))
    if (count > maxRows) {
      throw new BadEntry(`It has more than ${maxRows.toLocaleString('en')} ${what}.`)
    }
    if (line.length > SHORT_CHARS && !isModestJson(Buffer.from(line), MAX_ROW_VALUES)) {
      throw new BadEntry(`One of its ${what} has too many values.`)
    }
    const { success, data } = row.safeParse(parseJson(line))
    if (!success) throw new BadEntry(`One of its ${what} is not valid.`)
    if (TIMES.some((member) => ((data as Times)[member] ?? '') > latest)) {
      throw new BadEntry(`One of its ${what} is of the future.`)
    }
    yield [data, line.length]
  }
}

async function* signedRecord(archive: Archive, folder: string) {
  const size = archive.sizeOf(folder + SIGNED_RECORD) ?? 0
  if (size === 0 || size > MAX_RECORD_BYTES) return
  const record = await archive.read(folder + SIGNED_RECORD, MAX_RECORD_BYTES)
  const row = { record: record.toString('latin1').trim() }
  yield [row, size] as [row: unknown, chars: number]
}

const TIMES = [
  ...(['created_at', 'submitted_at', 'edited_at', 'voted_at', 'decided_at', 'asked_at'] as const),
  ...(['first_at', 'last_at', 'accepted_at'] as const),
]
type Times = Partial<Record<(typeof TIMES)[number], string | null>>

function parseJson(text: Buffer | string): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    throw new BadEntry('A file of it is no JSON.')
  }
}
