/** Names what the free plan does not include, and who can change the plan. */
export function PlanNote() {
  return (
    <p className="mt-10 max-w-2xl border-t border-line pt-4 text-13 text-muted">
      Viewers, where they come from, devices, time spent and refusals are in Pro. The operator of
      this server sets the plan.
    </p>
  )
}
