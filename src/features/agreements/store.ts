import type { AgreementSetting } from '../../model/page/index.ts'
import type { ConversationTables } from '../../platform/db/conversation-tables.ts'
import type { Tx } from '../../platform/db/index.ts'
import { raw, rawList, rawWrite } from '../../platform/db/raw.ts'
import { countBy, insertOnceInto, rowBy, rowsInto } from '../../platform/db/rows.ts'

export type VersionRow = ConversationTables['agreements']
type AcceptanceRow = ConversationTables['agreement_acceptances']
/** A version without its content. */
export type VersionHead = AgreementSetting & Pick<VersionRow, 'size_bytes' | 'created_at'>
export type Acceptance = Omit<AcceptanceRow, 'page_id' | 'browser'> & { sha256: string }

/** All versions of a page's agreement without their content, oldest first. */
export const listVersions = raw<VersionHead, [pageId: string]>(`
  SELECT version, require, type, sha256, size_bytes, created_at FROM agreements
  WHERE page_id = $1 ORDER BY version`)

export const findVersion = rowBy('agreements', ['page_id', 'version'])

/** One by one: each is up to 1 MB. */
export const insertVersions = rowsInto('agreements', { most: 1 })

/** @returns the bytes of what was deleted */
export async function deleteVersions(tx: Tx, pageId: string): Promise<number> {
  const rows = await deleteAll(tx, [pageId])
  return rows.reduce((sum, row) => sum + row.size_bytes, 0)
}
const deleteAll = rawWrite<[pageId: string], { size_bytes: number }>(
  'DELETE FROM agreements WHERE page_id = $1 RETURNING size_bytes',
)

/** @returns false where this browser has accepted the same before */
export const insertAcceptance = insertOnceInto('agreement_acceptances')

export const insertImported = rowsInto('agreement_acceptances')

export const countAcceptances = countBy('agreement_acceptances', 'page_id')

const ACCEPTANCE = `a.id, a.agreement_version, a.name, a.email, a.proof, a.link_id, a.page_version,
  a.accepted_at, a.imported_at, v.sha256 FROM agreement_acceptances AS a
  JOIN agreements AS v ON v.page_id = a.page_id AND v.version = a.agreement_version`

/** Oldest first, with those of an imported page. */
export const listAcceptances = raw<Acceptance, [pageId: string]>(
  `SELECT ${ACCEPTANCE} WHERE a.page_id = $1 ORDER BY a.accepted_at, a.id`,
)

/** Some of them, newest first. */
export const listNewest = raw<Acceptance, [pageId: string, limit: number, offset: number]>(
  `SELECT ${ACCEPTANCE} WHERE a.page_id = $1
  ORDER BY a.accepted_at DESC, a.id DESC LIMIT $2 OFFSET $3`,
)

export const findAcceptances = rawList<Acceptance>(
  (list) => `SELECT ${ACCEPTANCE} WHERE a.id IN ${list}`,
)
