import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import type { Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import { assertOtherOperator } from './accounts.ts'
import * as store from './store.ts'

interface AccountSuspensionDeps
  extends Pick<Services, 'database' | 'clock' | 'log' | 'host' | 'sendMail'> {
  endSessions(tx: Tx, accountId: string): Promise<unknown>
  /** Deletes the digests that wait to be sent about its pages. */
  deleteDigests(tx: Tx, accountId: string): Promise<unknown>
  /** From the commit on, every node reads its pages again. */
  announcePages(tx: Tx, accountId: string): Promise<void>
}

export type AccountSuspension = ReturnType<typeof createAccountSuspension>

export function createAccountSuspension(deps: AccountSuspensionDeps) {
  const { database, clock, log, host, sendMail } = deps

  async function suspendWithin(tx: Tx, { id, email }: Account): Promise<boolean> {
    await assertOtherOperator(tx, { id, email })
    if (!(await store.setSuspended(tx, id, clock.now()))) return false
    await deps.endSessions(tx, id)
    await deps.deleteDigests(tx, id)
    await deps.announcePages(tx, id)
    await sendMail(tx, suspendedMail(email, host))
    return true
  }

  async function endWithin(tx: Tx, { id, email }: Account): Promise<boolean> {
    if (!(await store.setSuspended(tx, id, null))) return false
    await deps.announcePages(tx, id)
    await sendMail(tx, restoredMail(email, host))
    return true
  }

  const who = (account: Account, by: Account | null) => ({
    account_id: account.id,
    by: by?.id ?? 'command line',
  })

  return {
    /**
     * Suspends an account: on every node nothing of it is served, its sessions end, and its keys
     * are refused. Nothing is deleted, so that the end of the suspension brings everything back.
     *
     * @param by the operator's account; null for the command line
     * @throws Refusal `own_account`, `last_operator`
     */
    async suspend(account: Account, by: Account | null) {
      if (account.id === by?.id) {
        const text =
          'You cannot suspend the account that you are signed in to: ask another operator.'
        throw refuse.conflict('own_account', text)
      }
      const isNew = await database.write((tx) => suspendWithin(tx, account), 'freeing')
      if (isNew) log.info('an account was suspended', who(account, by))
    },
    /** Ends the suspension. People sign in again; everything else is as it was. */
    async end(account: Account, by: Account | null) {
      const wasSuspended = await database.write((tx) => endWithin(tx, account), 'freeing')
      if (wasSuspended) log.info('the suspension of an account was ended', who(account, by))
    },
  }
}

export function suspendedMail(to: string, host: string): MailContent {
  return {
    to,
    subject: `Your account at ${host} is suspended`,
    heading: 'Your account is suspended',
    paragraphs: [
      `The operator of ${host} suspended the account ${displayEmail(to)}: its pages show a ` +
        'notice, and nobody can sign in to it or use its API keys.',
      'Nothing was deleted. Ask the operator why, and to end the suspension.',
    ],
    reason: `You own the account ${displayEmail(to)}.`,
  }
}

export function restoredMail(to: string, host: string): MailContent {
  return {
    to,
    subject: `Your account at ${host} is no longer suspended`,
    heading: 'Your account is back',
    paragraphs: [
      `The operator of ${host} ended the suspension of ${displayEmail(to)}: its pages open as ` +
        'they did before, and its API keys work. Sign in again to manage them.',
    ],
    reason: `You own the account ${displayEmail(to)}.`,
  }
}
