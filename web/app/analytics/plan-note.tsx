import { useBoot } from '../account.ts'

/** Names what the plan does not include, and who can change it. */
export function PlanNote() {
  const { plan_names: names } = useBoot()
  return (
    <p className="mt-10 max-w-2xl border-t border-line pt-4 text-13 text-muted">
      Viewers, where they come from, devices, time spent and refusals are in {names.pro}. The
      operator of this server sets the plan.
    </p>
  )
}
