import { decisionWords, firstUpper } from '../../../../src/model/decision.ts'
import { api, type Output, read } from '../../api.ts'

export type Approvals = Output<'getApprovals'>['data']
export type Approver = Approvals['approvers'][number]

export interface Standing {
  kind: 'waiting' | 'approved' | 'changes_requested'
  words: string
}

export function approvalsQuery(id: string) {
  return read(['approvals', id], () => api.getApprovals({ id }), 10_000)
}

/** The state of an approver. A decision about other content is shown, and a new one is awaited. */
export function standingOf(
  { decision, is_current: isCurrent, version_no: version }: Approver,
  published: number | null,
): Standing {
  if (decision === null) return { kind: 'waiting', words: 'Waiting' }
  const words = firstUpper(decisionWords(decision, version!))
  if (isCurrent) return { kind: decision, words }
  const now = published === null ? 'nothing is published now' : `now ${published}`
  return { kind: 'waiting', words: `${words} (${now})` }
}

/** The decisions of an approver but the one that counts: earlier ones, and imported ones. */
export function earlierDecisions({ history, decided_at: newest }: Approver): Approver['history'] {
  return history.filter((one) => one.imported_at !== null || one.decided_at !== newest)
}
