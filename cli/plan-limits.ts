import { assertFitsPlan, fitsEveryPlan } from '../src/client/content/plan-limits.ts'
import { ApiError, type Client } from '../src/client/index.ts'
import type { LocalContent } from './local-content/index.ts'

/**
 * Refuses content that the account's plan does not allow, before any of it is sent.
 *
 * @throws ContentProblem
 */
export async function assertPlanAllows(client: Client, local: LocalContent): Promise<void> {
  if (fitsEveryPlan(local)) return
  const account = await readAccount(client)
  if (account !== null) assertFitsPlan(local, account)
}

/** Null where the server is older than this operation: it refuses too large content itself. */
async function readAccount(client: Client) {
  try {
    return (await client.getAccount()).data
  } catch (err) {
    if (err instanceof ApiError && (err.status === 404 || err.status === 405)) return null
    throw err
  }
}
