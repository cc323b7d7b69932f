export {
  type ApprovalDeps,
  type Approvals,
  approvalConversation,
  approvalOperations,
  approvalVisitorOperations,
  createApprovals,
} from './approvals.ts'
export {
  DECIDE_IN_BROWSER,
  type PreparedDecision,
  preparedIn,
} from './decisions.ts'
export {
  approvalRequestRow,
  approvalRequestsOf,
  decisionRow,
  decisionsOf,
  importApprovals,
  importedRecordsOf,
  MAX_RECORD_BYTES,
  recordRow,
} from './import-approvals.ts'
export { findDecisions, listDecisions } from './store.ts'
