import type { Batches } from '../../model/batches.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { WriteStep } from '../../platform/db/long-write.ts'
import { newId } from '../../platform/ids.ts'
import type { AccessRequest } from './contract.ts'
import { takesRequests } from './rules.ts'
import * as store from './store.ts'

/** An access request in the form in which another server exported it. */
export type GivenRequest = Omit<AccessRequest, 'id'>

/** All access requests of a page for an export, newest first. */
export async function* accessRequestsOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (const { id: _id, ...request } of await store.listRequests(db, pageId)) yield request
}

/**
 * Stores the access requests of an imported page. It mails nobody; the owner answers open requests
 * in the app.
 *
 * @throws Refusal `invalid_parameter` where two are of one address
 */
export async function importAccessRequests(
  step: WriteStep,
  page: Page,
  given: Batches<GivenRequest>,
): Promise<void> {
  const emails = new Set<string>()
  for (const batch of given) {
    for (const { email } of batch) {
      if (emails.has(email)) {
        const message = 'Two of its access requests are of one address.'
        throw refuse.invalid('invalid_parameter', message)
      }
      emails.add(email)
    }
    const rows = batch.map((request) => ({
      ...request,
      id: newId('ar'),
      page_id: page.id,
      account_id: page.account_id,
      in_inbox: request.decided_at === null && takesRequests(page) ? 1 : 0,
    }))
    await step((tx) => store.insertAll(tx, rows))
  }
}
