import { expect, test } from 'bun:test'
import { DEFAULT_PLANS } from '../../model/plan.ts'
import { assertFitsPlan } from './prepare.ts'

test('what the plan does not allow tells an operator which setting raises it', () => {
  const pages = Array.from({ length: 61 }, (_, n) => ({ path: `${n}.html`, blob: new Blob(['x']) }))
  const publish = (isOperator: boolean) => () => {
    const plan = { plan_name: 'Team', limits: DEFAULT_PLANS.team.limits, is_operator: isOperator }
    assertFitsPlan({ kind: 'deck', pages, assets: [], skipped: [] }, plan)
  }
  expect(publish(true)).toThrow(/Nothing was sent\. PLANS_FILE on the server raises .*\.$/)
  expect(publish(false)).toThrow(/Nothing was sent\.$/)
})
