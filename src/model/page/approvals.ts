import { z } from 'zod'
import { distinct, email } from '../text.ts'
import type { Contradiction } from './contradiction.ts'
import { MAX_APPROVERS } from './limits.ts'

export { MAX_APPROVERS } from './limits.ts'

export const approvalFields = {
  collect_approvals: z.boolean().describe('Approvers approve the page or request changes. Pro.'),
  approver_emails: distinct(email, MAX_APPROVERS).describe('The addresses of the approvers.'),
  approvals_visibility: z
    .enum(['owner', 'shared'])
    .describe('Whether approvers see each other’s decisions.'),
  notify_on_decision: z.boolean().describe('Mails the owner each decision.'),
}

export const approvalDefaults = {
  collect_approvals: false,
  approver_emails: [] as string[],
  approvals_visibility: 'owner' as 'owner' | 'shared',
  notify_on_decision: true,
}

export function approvalContradiction(settings: typeof approvalDefaults): Contradiction | null {
  if (!settings.collect_approvals || settings.approver_emails.length > 0) return null
  return {
    param: 'approver_emails',
    message: 'collect_approvals needs at least one address in approver_emails.',
  }
}
