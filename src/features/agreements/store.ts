import type { Proof } from '../../model/approval-record.ts'
import type { AgreementSetting } from '../../model/page/index.ts'
import { rowsInto } from '../../platform/db/chunks.ts'
import type { ConversationTables } from '../../platform/db/conversation-tables.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw, rawCount, rawList } from '../../platform/db/raw.ts'

export type VersionRow = ConversationTables['agreements']
type AcceptanceRow = ConversationTables['agreement_acceptances']
/** A version without its content. */
export type VersionHead = AgreementSetting & Pick<VersionRow, 'size_bytes' | 'created_at'>
export type Acceptance = Omit<AcceptanceRow, 'page_id' | 'browser' | 'proof'> & {
  proof: Proof
  sha256: string
}

const HEAD = ['version', 'require', 'type', 'sha256', 'size_bytes', 'created_at'] as const

/** All versions of a page's agreement without their content, oldest first. */
export async function listVersions(db: Db, pageId: string): Promise<VersionHead[]> {
  const rows = db.selectFrom('agreements').select(HEAD).where('page_id', '=', pageId)
  return (await rows.orderBy('version').execute()) as VersionHead[]
}

/** A version with its content. */
export function findVersion(db: Db, pageId: string, version: number) {
  return db
    .selectFrom('agreements')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** One by one: each is up to 1 MB. */
export const insertVersions = rowsInto('agreements', 1)

/** @returns the bytes of what was deleted */
export async function deleteVersions(tx: Tx, pageId: string): Promise<number> {
  const rows = await tx
    .deleteFrom('agreements')
    .where('page_id', '=', pageId)
    .returning('size_bytes')
    .execute()
  return rows.reduce((sum, row) => sum + row.size_bytes, 0)
}

/** @returns false where this browser has accepted the same before */
export async function insertAcceptance(tx: Tx, row: AcceptanceRow): Promise<boolean> {
  const insert = tx.insertInto('agreement_acceptances').values(row)
  const inserted = insert.onConflict((conflict) => conflict.doNothing()).returning('id')
  return (await inserted.executeTakeFirst()) !== undefined
}

export const insertImported = rowsInto('agreement_acceptances')

export const countAcceptances = rawCount<[pageId: string]>(
  'SELECT count(*) AS count FROM agreement_acceptances WHERE page_id = $1',
)

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
