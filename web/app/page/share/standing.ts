import { useQuery } from '@tanstack/preact-query'
import type { Output } from '../../../../src/client/index.ts'
import { useBoot } from '../../account.ts'
import { api } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { read } from '../../queries.ts'
import { viewersQuery } from '../viewers.ts'
import { keyOf } from './addresses.ts'

/** What is known of a person whom the page invites or asks. */
interface Standing {
  isMailed: boolean
  openCount: number
  approver: Approver | undefined
}

type Approver = Output<'getApprovals'>['data']['approvers'][number]

const OFTEN_MS = 15_000
const DECISIONS = { approved: 'approved', changes_requested: 'requests changes' }

/** `mailed, opened twice, approved`. */
export function standingText({ isMailed, openCount, approver }: Standing): string {
  const decided = approver?.is_current === true ? approver.decision : null
  const decision = decided === null ? approver && 'waiting' : DECISIONS[decided]
  return [isMailed && 'mailed', openCount > 0 && `opened ${times(openCount)}`, decision]
    .filter(Boolean)
    .join(', ')
}

function times(count: number): string {
  return ['', 'once', 'twice'][count] ?? `${count} times`
}

export function invitationsKey({ id }: Page): readonly string[] {
  return ['invitations', id]
}

/** Reads what became of the mails and links of the page. @returns it for one address */
export function useStandings(page: Page): (email: string) => Standing {
  const { sends_mails: sendsMails } = useBoot()
  const { id, collect_approvals: hasApprovers, approver_emails: approvers } = page
  const mails = useQuery(read(invitationsKey(page), () => api.listInvitations({ id }), OFTEN_MS))
  const viewers = useQuery(viewersQuery(id))
  const { data: approvals } = useQuery({
    ...read(['approvals', id, approvers], () => api.getApprovals({ id })),
    enabled: hasApprovers,
    placeholderData: (before) => before,
  })
  return (email) => {
    const isThis = (each: { email: string }) => keyOf(each.email) === keyOf(email)
    return {
      // What waits in the outbox of a server without mail has reached nobody.
      isMailed: sendsMails && mails.data?.some(isThis) === true,
      openCount: viewers.data?.find(isThis)?.views ?? 0,
      approver: hasApprovers ? approvals?.approvers.find(isThis) : undefined,
    }
  }
}
