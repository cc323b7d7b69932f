import type { VisitorOperation } from '../../model/operation.ts'
import { type VisitorRoute, visitorOperationRoutes } from './operations/operations.ts'
import { type ConfirmEmailDeps, confirmEmailRoutes } from './panel/confirm-email.ts'
import { type AdmitDeps, createAdmit } from './request/admit.ts'
import { type TimeRouteDeps, timeRoutes } from './time/routes.ts'

/** The dependencies of the routes, without those that are built here. */
type OperationPathDeps = Omit<ConfirmEmailDeps & TimeRouteDeps & AdmitDeps, 'admit'>

/** The routes of all visitor operations, by path: those of the features and our own. */
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
