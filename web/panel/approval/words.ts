import type { ApprovalView } from '../../../src/features/approvals/contract.ts'

type Mine = NonNullable<ApprovalView['mine']>
type Decision = Pick<NonNullable<Mine['decision']>, 'decision' | 'version_no' | 'is_current'>

/** What the approver has done, and whether it still stands. */
export function ownStateText({ version_no: now }: ApprovalView, { decision }: Mine): string {
  if (decision === null) return `You are asked to approve version ${now}`
  const done = decision.decision === 'approved' ? 'approved' : 'requested changes to'
  const text = `You ${done} version ${decision.version_no}`
  return decision.is_current ? text : `${text}, now ${now}`
}

/** What another approver has done. */
export function decidedText({ decision, version_no: no, is_current: isCurrent }: Decision): string {
  const done = decision === 'approved' ? 'Approved' : 'Requested changes to'
  return `${done} version ${no}${isCurrent ? '' : ', an earlier one'}`
}
