import type { Conversation } from '../../model/conversation.ts'
import { StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { InboxRows } from '../../platform/db/inbox-rows.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { ImportedRecord, LatestDecision, Approvals as Report } from './contract.ts'
import { createDecisions, type DecisionDeps, type Decisions } from './decisions.ts'
import { createFacts } from './facts.ts'
import { createRecords, type RecordDeps, type Records } from './record.ts'
import { createRequests, type RequestDeps, type Requests } from './requests.ts'
import { approvalsOf } from './rules.ts'
import * as store from './store.ts'
import { createViewerOperations, type ViewerDeps, type ViewerOperations } from './viewers.ts'

export interface Approvals
  extends Requests,
    Records,
    ImportedRecords,
    Decisions,
    LatestDecisions,
    ViewerOperations {
  /** The approvals as the owner reads them. */
  report(page: Page): Promise<Report>
}

type ApprovalDeps = Omit<DecisionDeps & RequestDeps & RecordDeps & ViewerDeps, 'factsOf'>

/** The sign-off of a page by the approvers that its owner named. */
export function createApprovals(deps: ApprovalDeps): Approvals {
  const factsOf = createFacts(deps)
  const importedRecords = createImportedRecords(deps.database)
  return {
    ...createDecisions({ ...deps, factsOf }),
    ...createRequests({ ...deps, factsOf }),
    ...createRecords({ ...deps, factsOf }),
    ...importedRecords,
    ...createViewerOperations({ ...deps, factsOf }),
    ...latestDecisions,
    report: async (page) => ({
      ...approvalsOf(await factsOf(page)),
      imported_records: await importedRecords.importedRecords(page),
    }),
  }
}

interface ImportedRecords {
  /** The records of other servers that were imported with the page, in the order of signing. */
  importedRecords(page: Page): Promise<ImportedRecord[]>
  /** One imported record, unchanged. @throws Refusal `record_not_found` */
  importedRecordFile(page: Page, id: string): Promise<StoredFile>
}

/** Imported records stay unchanged: only the key of the server that signed them verifies them. */
function createImportedRecords(database: Database): ImportedRecords {
  return {
    importedRecords: ({ id }) => store.listImportedRecords(database.read, id),
    async importedRecordFile(page, id) {
      const record = await store.findImportedRecord(database.read, page.id, id)
      if (record === undefined) {
        const message = 'No such record was imported with this page.'
        throw refuse.notFound('record_not_found', message, { param: 'record_id' })
      }
      const body = Buffer.from(`${record}\n`)
      const filename = `approvals-${page.slug}-imported.jws`
      return new StoredFile({ filename, mime: 'application/jose', etag: `"${sha256(body)}"`, body })
    },
  }
}

/** The newest decision of each current approver of each page. */
interface LatestDecisions {
  newestDecisions: InboxRows
  /** Decisions by id. @param pages the pages of these decisions */
  readDecisions(
    db: Db,
    pages: ReadonlyMap<string, Page>,
    ids: readonly string[],
  ): Promise<Map<string, LatestDecision>>
  /** Updates the inbox after the approvers of the page have changed. Runs in that transaction. */
  onPageChange(tx: Tx, before: Page, after: Page): Promise<void>
}

const latestDecisions: LatestDecisions = {
  newestDecisions: store.newestDecisions,
  async readDecisions(db, pages, ids) {
    const rows = await store.findDecisions(db, ids)
    return new Map(
      rows.map(({ id, page_id, manifest_id, ...decision }) => {
        const isCurrent = manifest_id === pages.get(page_id)?.published_id
        return [id, { ...decision, is_current: isCurrent }]
      }),
    )
  },
  async onPageChange(tx, before, after) {
    const approvers = askedBy(after)
    const isSame = new Set(askedBy(before)).symmetricDifference(new Set(approvers)).size === 0
    if (!isSame) await store.listInInbox(tx, after.id, approvers)
  },
}

function askedBy({ settings }: Page): string[] {
  return settings.collect_approvals ? settings.approver_emails : []
}

/** The approval in the panel. Its button shows no number, since not every viewer may know it. */
export const approvalConversation: Conversation = {
  id: 'approval',
  isOn: ({ settings }) => settings.collect_approvals,
  count: async () => null,
}
