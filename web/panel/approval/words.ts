import type { ApprovalView } from '../../../src/features/approvals/contract.ts'
import { decisionWords, firstUpper } from '../../../src/model/decision.ts'

type Mine = NonNullable<ApprovalView['mine']>
type Others = NonNullable<ApprovalView['others']>
type Decision = Pick<Others[number], 'decision' | 'version_no' | 'is_current'>

/** What the approver has done, and whether it still stands. */
export function ownStateText({ version_no: now }: ApprovalView, { decision }: Mine): string {
  if (decision === null) return `You are asked to approve version ${now}`
  return `You ${describe(decision, now)}`
}

/** What another approver has done. @param now the published version */
export function decidedText(decision: Decision, now: number): string {
  return firstUpper(describe(decision, now))
}

/** `approved version 4, now 6`. */
function describe({ decision, version_no: no, is_current: isCurrent }: Decision, now: number) {
  const text = decisionWords(decision, no)
  return isCurrent ? text : `${text}, now ${now}`
}

/** How far the approvals are, for the owner. */
export function progressText({ mine, others, version_no: now }: ApprovalView): string {
  const all = [...(others ?? []), ...(mine?.decision ? [mine.decision] : [])]
  const current = all.filter(({ is_current: isCurrent }) => isCurrent)
  const count = (choice: Decision['decision']) =>
    current.filter(({ decision }) => decision === choice).length
  const changes = count('changes_requested')
  const approvals = count('approved')
  const parts = [
    approvals > 0 && `${approvals} approved`,
    changes > 0 && `${changes} requested changes`,
    current.length === 0 && 'nobody has decided yet',
  ]
  return `Version ${now}: ${parts.filter(Boolean).join(', ')}`
}

/** What happened to the requests sent by mail. */
export function requestText(mails: number, notAdmitted: readonly string[]): string {
  const words = mails === 1 ? 'A mail is on its way.' : `${mails} mails are on their way.`
  if (notAdmitted.length === 0) return mails === 0 ? 'Nobody is awaited.' : words
  const closed = `The page does not let in ${notAdmitted.join(', ')}: share it with them first.`
  return mails === 0 ? closed : `${words} ${closed}`
}
