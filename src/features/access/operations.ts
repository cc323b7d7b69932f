import { implement, type Operation } from '../../model/operation.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Access } from './access.ts'
import { decideAccessRequest, invitePeople, listAccessRequests } from './contract.ts'

export function accessOperations(access: Access): Operation[] {
  return [
    implement(listAccessRequests, async ({ page }) => ({
      data: (await access.requests(page)).map(shown),
    })),
    implement(decideAccessRequest, async ({ page }, { request_id, decision }) => ({
      data: shown(await access.decide(page, request_id, decision)),
    })),
    implement(invitePeople, async ({ page }, input) => ({
      data: await access.mailInvitations(page, input),
    })),
  ]
}

function shown<T extends { email: string }>(request: T): T {
  return { ...request, email: displayEmail(request.email) }
}
