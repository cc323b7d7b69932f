import { implement, type Operation } from '../../model/operation.ts'
import type { Checks } from '../../platform/checks.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Access } from './access.ts'
import {
  decideAccessRequest,
  invitePeople,
  listAccessRequests,
  listInvitations,
  makePersonalLink,
} from './contract.ts'

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function accessOperations(access: Access, checks: Pick<Checks, 'sendsMails'>): Operation[] {
  return [
    implement(listAccessRequests, async ({ page }) => ({
      data: (await access.requests(page)).map(shown),
    })),
    implement(decideAccessRequest, async ({ page }, { request_id, decision }) => ({
      data: shown(await access.decide(page, request_id, decision)),
    })),
    implement(invitePeople, async ({ page }, input) => ({
      data: { ...(await access.mailInvitations(page, input)), sends_mails: checks.sendsMails },
    })),
    implement(listInvitations, async ({ page }) => {
      const { allowed_emails, approver_emails } = page.settings
      const mailedAt = await access.personalLinks.mailedAt(page)
      const named = [...new Set([...allowed_emails, ...approver_emails])]
      const mailed = named.flatMap((email) => {
        const at = mailedAt.get(email)
        return at === undefined ? [] : [shown({ email, mailed_at: at })]
      })
      return { data: mailed }
    }),
    implement(makePersonalLink, async ({ page }, input) => ({
      data: await access.personalLinks.handedLink(page, input),
    })),
  ]
}

function shown<T extends { email: string }>(request: T): T {
  return { ...request, email: displayEmail(request.email) }
}
