import { Link } from 'wouter'
import { useAccount, useBoot } from '../../../account.ts'

/** Whether the plan has expiry, view limit, view-only and approvals. */
export function useHasPro(): boolean {
  return useAccount().limits.link_controls
}

/** What a setting of a larger plan needs, in one line. */
export function PlanNote() {
  const { is_operator: isOperator } = useAccount()
  const { plan_names: names } = useBoot()
  return (
    <>
      Part of the {names.pro} plan.{' '}
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
