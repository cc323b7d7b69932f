import { useQuery } from '@tanstack/preact-query'
import { useBoot } from '../../account.ts'
import { api, type Output, type Page, read } from '../../api.ts'
import { viewersQuery } from '../viewers.ts'
import { keyOf } from './addresses.ts'

/** What is known of a person whom the page invites or asks. */
interface Standing {
  isMailed: boolean
  isRefused: boolean
  openCount: number
  approver: Approver | undefined
}

type Approver = Output<'getApprovals'>['data']['approvers'][number]

const OFTEN_MS = 15_000
const DECISIONS = { approved: 'approved', changes_requested: 'requests changes' }

/** `mailed, opened twice, approved`. */
export function standingText({ isMailed, isRefused, openCount, approver }: Standing): string {
  const decided = approver?.is_current === true ? approver.decision : null
  const decision = decided === null ? approver && 'waiting' : DECISIONS[decided]
  const mailed = isRefused ? 'the mail server refused the mail' : isMailed && 'mailed'
  return [mailed, openCount > 0 && `opened ${times(openCount)}`, decision]
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
  const mailed = byKey(mails.data)
  const opened = byKey(viewers.data)
  const approving = byKey(hasApprovers ? approvals?.approvers : [])
  return (email) => {
    const key = keyOf(email)
    return {
      // What waits in the outbox of a server without mail has reached nobody.
      isMailed: sendsMails && mailed.has(key),
      isRefused: sendsMails && !!mailed.get(key)?.bounced_at,
      openCount: opened.get(key)?.views ?? 0,
      approver: approving.get(key),
    }
  }
}

/** By address: 500 people who are looked for among 1,000 one by one take seconds. */
function byKey<T extends { email: string }>(list: readonly T[] = []): Map<string, T> {
  return new Map(list.map((each) => [keyOf(each.email), each]))
}
