import type { Page } from '../../model/page/index.ts'
import type { Approvals as Report } from './contract.ts'
import { createDecisions, type DecisionDeps, type Decisions } from './decisions.ts'
import { createFacts } from './facts.ts'
import { createImportedRecords, type ImportedRecords } from './imported-records.ts'
import { type LatestDecisions, latestDecisions } from './latest.ts'
import { createRecords, type RecordDeps, type Records } from './record.ts'
import { createRequests, type RequestDeps, type Requests } from './requests.ts'
import { approvalsOf } from './rules.ts'
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

export type ApprovalDeps = Omit<DecisionDeps & RequestDeps & RecordDeps & ViewerDeps, 'factsOf'>

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
