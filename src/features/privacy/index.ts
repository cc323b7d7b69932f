import { operationsOf } from '../../model/operation.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { Access } from '../access/index.ts'
import type { Links } from '../links/index.ts'
import type { MailLists } from '../mail/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Views } from '../views/index.ts'
import type { Forgotten } from './contract.ts'
import * as contract from './contract.ts'

interface PrivacyDeps extends Pick<Services, 'database' | 'clock'> {
  settings: Settings
  links: Links
  views: Views
  access: Access
  mailLists: MailLists
}

/**
 * What was noted of people without their writing anything: it ends after a time, and on request.
 * Evidence (approvals, accepted agreements) and what they wrote is not part of it.
 */
export function createPrivacy(deps: PrivacyDeps) {
  const { database, clock, settings, links, views, access, mailLists } = deps

  return {
    /**
     * @param email in its stored form
     * @param accountId whose pages forget; null: all pages, and the list of sent mails
     */
    async forget(email: string, accountId: string | null): Promise<Forgotten> {
      await views.flush()
      const forgotten = await database.write(async (tx) => {
        if (accountId === null) await mailLists.forgetSent(tx, email)
        return {
          links: await links.forget(tx, email, accountId),
          viewers: await views.forgetConfirmed(tx, email, accountId),
          access_requests: await access.forgetRequests(tx, email, accountId),
        }
      }, 'freeing')
      return { email: displayEmail(email), ...forgotten }
    },
    /** Forgets what is older than operators keep it. */
    async sweep(): Promise<void> {
      const before = monthsBefore(clock.ms(), settings.current().peopleRetentionMonths)
      await links.forgetOld(before)
      await views.forgetOld(before)
    },
  }
}

function monthsBefore(ms: number, months: number): Timestamp {
  const date = new Date(ms)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().replace('Z', '000Z')
}

export function privacyOperations(privacy: ReturnType<typeof createPrivacy>) {
  return operationsOf(contract, {
    forgetPerson: ({ account }, { email }) => privacy.forget(email, account.id),
  })
}
