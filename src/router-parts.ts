import { loadInTurns } from './platform/load-once.ts'

/** What `router.ts` imports and itself, in parts that each load within some milliseconds. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('zod'),
  () => import('./features/pages/operations.ts'),
  () => import('./features/access/operations.ts'),
  () => import('./features/accounts/operations.ts'),
  () => import('./features/analytics/operations.ts'),
  () => import('./features/approvals/operations.ts'),
  () => import('./features/comments/operations.ts'),
  () => import('./features/content/operations.ts'),
  () => import('./features/inbox/operations.ts'),
  () => import('./features/operator/operations.ts'),
  () => import('./features/responses/operations.ts'),
  () => import('./features/transfer/operations.ts'),
  () => import('./operations.ts'),
  () => import('./features/inbox/index.ts'),
  () => import('./features/transfer/index.ts'),
  () => import('./api-features.ts'),
  () => import('./http/rest/routes.ts'),
  () => import('./http/mcp/routes.ts'),
  () => import('./http/web/docs.ts'),
  () => import('./http/web/app/index.ts'),
  () => import('./http/web/index.ts'),
  () => import('./router.ts'),
]

/** Loads the parts one after the other: all at once would take some 100 ms. */
export const loadRouterParts = (): Promise<void> => loadInTurns(PARTS)
