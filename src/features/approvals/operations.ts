import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import type { Checks } from '../../platform/checks.ts'
import type { Approvals } from './approvals.ts'
import * as contracts from './contract.ts'

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function approvalOperations(
  approvals: Approvals,
  checks: Pick<Checks, 'sendsMails'>,
): Operation[] {
  return [
    implement(contracts.getApprovals, async ({ page }) => ({
      data: await approvals.report(page),
    })),
    implement(contracts.requestApprovals, async ({ page }, input) => ({
      data: { ...(await approvals.request(page, input)), sends_mails: checks.sendsMails },
    })),
    implement(contracts.getApprovalRecord, ({ page }) => approvals.recordFile(page)),
    implement(contracts.getImportedRecord, ({ page }, { record_id: id }) =>
      approvals.importedRecordFile(page, id),
    ),
  ]
}

/** The visitor operations that the Approval tab of the panel calls. */
export function approvalVisitorOperations(approvals: Approvals): VisitorOperation[] {
  return [
    implementVisitor(contracts.readApproval, async (subject, { known }) => ({
      data: await approvals.view(subject, known),
    })),
    implementVisitor(contracts.prepareDecision, async (subject, given) => {
      const { decision, note = null } = given
      const path = await approvals.prepare(subject, { decision, note })
      return { data: { confirm_path: path } }
    }),
    implementVisitor(contracts.readApprovalChanges, async (subject) => ({
      data: await approvals.changesFor(subject),
    })),
  ]
}
