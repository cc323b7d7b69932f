import { Link } from 'wouter'
import { useAccount } from '../../../account.ts'

/** Whether the plan has expiry, view limit, view-only and approvals. */
export function useHasPro(): boolean {
  return useAccount().limits.link_controls
}

/** What a setting of the Pro plan needs, in one line. */
export function PlanNote() {
  const { is_operator: isOperator } = useAccount()
  return (
    <>
      Part of the Pro plan.{' '}
      {isOperator ? (
        <Link href="/admin" className="link">
          Change the plan
        </Link>
      ) : (
        'The operator of this server sets your plan.'
      )}
    </>
  )
}
