import { implement, type Operation } from '../../model/operation.ts'
import type { Access } from './access.ts'
import { decideAccessRequest, listAccessRequests } from './contract.ts'

export function accessOperations(access: Access): Operation[] {
  return [
    implement(listAccessRequests, async ({ page }) => ({ data: await access.requests(page) })),
    implement(decideAccessRequest, async ({ page }, { request_id: requestId, decision }) => ({
      data: await access.decide(page, requestId, decision),
    })),
  ]
}
