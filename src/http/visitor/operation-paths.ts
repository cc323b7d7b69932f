import type { VisitorOperation } from '../../model/operation.ts'
import { type VisitorRoute, visitorOperationRoutes } from './operations/operations.ts'
import { type ConfirmEmailDeps, confirmEmailRoutes } from './panel/confirm-email.ts'
import { type AdmitDeps, createAdmit } from './request/admit.ts'
import { type TimeRouteDeps, timeRoutes } from './time/routes.ts'

/** All that the routes need, but what is made of it here. */
type OperationPathDeps = Omit<ConfirmEmailDeps & TimeRouteDeps & AdmitDeps, 'admit'>

/** The routes of all that visitors send, by path: the operations of features and our own. */
export function visitorOperationPaths(
  operations: readonly VisitorOperation[],
  given: OperationPathDeps,
): ReadonlyMap<string, VisitorRoute> {
  const deps = { ...given, admit: createAdmit(given) }
  return new Map([
    ...visitorOperationRoutes(operations, deps),
    ...confirmEmailRoutes(deps),
    ...timeRoutes(deps),
  ])
}
