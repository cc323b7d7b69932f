export { type Approvals, approvalConversation, createApprovals } from './approvals.ts'
export {
  DECIDE_BY_MAIL,
  DECIDE_IN_BROWSER,
  type PreparedDecision,
  preparedIn,
} from './decisions.ts'
export {
  approvalRequestsOf,
  decisionsOf,
  importApprovals,
  importedRecordsOf,
} from './import-approvals.ts'
