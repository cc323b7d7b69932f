import type { Account } from '../../model/account.ts'
import type { Proof } from '../../model/approval-record.ts'
import { csvDownload } from '../../model/csv.ts'
import { StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import {
  type AgreementInput,
  type AgreementSetting,
  MAX_AGREEMENT_BYTES,
  type Page,
} from '../../model/page/index.ts'
import type { Paging } from '../../model/paging.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { ImportContent } from '../content/index.ts'
import type { RecordEvent } from '../events/index.ts'
import * as contract from './contract.ts'
import { type Acceptance, acceptance } from './contract.ts'
import * as store from './store.ts'

export {
  acceptanceRow,
  agreementRow,
  agreementsOf,
  importAgreements,
} from './import-agreements.ts'
export { listAcceptances } from './store.ts'

/** So many people can accept on one page: the record of all is signed and printed. */
const MAX_ACCEPTANCES = 10_000

interface AgreementDeps extends Pick<Services, 'database' | 'clock' | 'secrets'> {
  importContent: ImportContent
  /** Counts what an account stores. @throws Refusal `quota_reached` */
  addStored(tx: Tx, accountId: string, bytes: number): Promise<void>
  versions: { numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null> }
  recordEvent: RecordEvent
}

/** A new agreement of a page; its content is null where that stays. */
export interface PreparedAgreement {
  require: AgreementSetting['require']
  content: Pick<store.VersionRow, 'type' | 'sha256' | 'data'> | null
}

/** What visitors of a page accept before they see it. */
export function createAgreements(deps: AgreementDeps) {
  const { database, clock, addStored } = deps

  return {
    ...createAcceptances(deps),
    prepare: createPrepare(deps),
    /** What `save` makes of the first version. @throws Refusal `invalid_parameter` */
    first({ require, content }: PreparedAgreement): AgreementSetting {
      if (content === null) throw noContent()
      const type = content.type as AgreementSetting['type']
      return { version: 1, require, type, sha256: content.sha256 }
    },
    /**
     * Stores a new version, unless the newest is the same.
     *
     * @throws Refusal `invalid_parameter`, `quota_reached`
     */
    async save(
      tx: Tx,
      { id: pageId, account_id }: Pick<Page, 'id' | 'account_id'>,
      agreement: PreparedAgreement | null,
    ): Promise<AgreementSetting | null> {
      if (agreement === null) return null
      const { require } = agreement
      const newest = (await store.listVersions(tx, [pageId])).at(-1)
      const head = agreement.content ?? newest
      if (head === undefined) throw noContent()
      const isSame = newest?.sha256 === head.sha256 && newest.type === head.type
      if (isSame && newest.require === require) return settingOf(newest)
      const content = agreement.content ?? (await store.findVersion(tx, [pageId, newest!.version]))!
      const { type, sha256: hash, data } = content
      const version = (newest?.version ?? 0) + 1
      const size_bytes = data.byteLength
      await addStored(tx, account_id, size_bytes)
      const of = { page_id: pageId, version, require, created_at: clock.now() }
      const row = { ...of, type, sha256: hash, data, size_bytes }
      await store.insertVersions(tx, [row])
      return settingOf(row as store.VersionHead)
    },
    /** The version that the page has now, for a copy of the page. */
    async current({ id, settings }: Page): Promise<PreparedAgreement | null> {
      if (settings.agreement === null) return null
      const { version, require } = settings.agreement
      return { require, content: (await store.findVersion(database.read, [id, version]))! }
    },
    /** A version with its content. @throws Refusal `version_not_found` */
    async version({ id }: Pick<Page, 'id'>, version: number) {
      const row = await store.findVersion(database.read, [id, version])
      if (row !== undefined) return row
      const message = `The agreement of this page has no version ${version}.`
      throw refuse.notFound('version_not_found', message, { param: 'version_no' })
    },
    listVersions: (pageId: string) => store.listVersions(database.read, [pageId]),
    /** With those that came with an import, oldest first. */
    listAcceptances: async (pageId: string): Promise<Acceptance[]> =>
      (await store.listAcceptances(database.read, [pageId])).map(acceptanceOf),
    /** A part of them, newest first, and how many there are. */
    async listNewest(pageId: string, { limit, offset }: Paging) {
      const rows = await store.listNewest(database.read, [pageId, limit, offset])
      const count = await store.countAcceptances(database.read, [pageId])
      return { acceptances: rows.map(acceptanceOf), count }
    },
    async readAcceptances(db: Db, ids: readonly string[]): Promise<Map<string, Acceptance>> {
      const rows = await store.findAcceptances(db, ids)
      return new Map(rows.map((row) => [row.id, acceptanceOf(row)]))
    },
    /** Deletes what a page has, in the transaction that deletes the page. */
    async deleteAll(tx: Tx, { id, account_id }: Pick<Page, 'id' | 'account_id'>) {
      await addStored(tx, account_id, -(await store.deleteVersions(tx, id)))
    },
  }
}
export type Agreements = ReturnType<typeof createAgreements>

/** Reads the text or PDF of a request, and checks it. */
function createPrepare({ importContent }: Pick<AgreementDeps, 'importContent'>) {
  return async (account: Account, input: AgreementInput): Promise<PreparedAgreement> => {
    const { text, file_base64, file_upload, require } = input
    const sources = [text, file_base64, file_upload].filter((source) => source !== undefined)
    if (sources.length > 1) throw invalid('takes one of text, file_base64 and file_upload.')
    if (sources.length === 0) return { require, content: null }
    if (text !== undefined) {
      const data = Buffer.from(text)
      return { require, content: { type: 'text', sha256: sha256(data), data } }
    }
    const file = file_base64 === undefined ? { file_upload } : { file_base64 }
    const { manifest, newBlobs } = await importContent(account, { ...file, filename: 'a.pdf' })
    const { hash, size_bytes: size } = manifest.files[0]!
    if (size > MAX_AGREEMENT_BYTES) throw invalid('takes a PDF of at most 1 MB.')
    return { require, content: { type: 'pdf', sha256: hash, data: newBlobs.get(hash)! } }
  }
}

interface Accepting {
  /** The version that was shown. */
  version: number
  name: string
  email: string | null
  proof: Proof
  /** The random id of the browser. */
  browser: string
  /** The named link that the browser came by. */
  link_id: string | null
}

function createAcceptances({ database, clock, secrets, versions, recordEvent }: AgreementDeps) {
  return {
    /**
     * Stores that somebody accepted the page's agreement; twice the same from one browser is once.
     *
     * @returns false where the page has as many acceptances as it can hold
     */
    accept(page: Page, accepting: Accepting): Promise<boolean> {
      const { id: pageId, account_id, published_id: publishedId } = page
      const { version, name, email, proof, browser, link_id } = accepting
      return database.write(async (tx) => {
        if ((await store.countAcceptances(tx, [pageId])) >= MAX_ACCEPTANCES) return false
        const versionNo =
          publishedId === null ? null : await versions.numberOf(pageId, publishedId, tx)
        const [id, at] = [newId('agr'), clock.now()]
        const isNew = await store.insertAcceptance(tx, {
          id,
          page_id: pageId,
          agreement_version: version,
          ...{ name, email, proof, link_id },
          browser: secrets.sign('agreement', pageId, browser),
          page_version: versionNo,
          accepted_at: at,
          imported_at: null,
        })
        if (isNew) {
          const ids = { pageId, accountId: account_id, objectId: id, itemId: id }
          await recordEvent(tx, { kind: 'agreement', ...ids, at, place: 'told' })
        }
        return true
      })
    },
  }
}

function acceptanceOf(row: store.Acceptance): Acceptance {
  return { ...row, email: row.email && displayEmail(row.email) }
}

function settingOf(row: store.VersionHead): AgreementSetting {
  const { version, require, type, sha256: hash } = row
  return { version, require, type, sha256: hash }
}

function noContent() {
  return invalid('needs a text, file_base64 or file_upload: the page has none yet.')
}

function invalid(why: string) {
  return refuse.invalidParameter('agreement', `agreement ${why}`)
}

export function agreementOperations(agreements: Agreements) {
  return operationsOf(contract, {
    listAgreements: async ({ page }, { format, limit, offset }) => {
      if (format === 'csv') {
        const rows = (await agreements.listAcceptances(page.id)).toReversed()
        return csvDownload(`${page.slug}-agreements.csv`, COLUMNS, rows)
      }
      const versions = await agreements.listVersions(page.id)
      const newest = await agreements.listNewest(page.id, { limit, offset })
      const next_offset = newest.count > offset + limit ? offset + limit : null
      return { data: { versions, ...newest }, next_offset }
    },
    getAgreement: async ({ page }, { version_no: version }) => {
      const { type, sha256, data } = await agreements.version(page, version)
      const [extension, mime] =
        type === 'pdf' ? ['pdf', 'application/pdf'] : ['txt', 'text/plain; charset=utf-8']
      const filename = `agreement-${page.slug}-${version}.${extension}`
      return new StoredFile({ filename, mime, etag: `"${sha256}"`, body: data })
    },
  })
}

const COLUMNS = Object.fromEntries(
  Object.keys(acceptance.shape).map((name) => [
    name,
    (row: Acceptance) => row[name as keyof Acceptance],
  ]),
)
