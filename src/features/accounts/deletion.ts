import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { parseEmail } from '../../model/text.ts'
import type { Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import { assertOtherOperator } from './accounts.ts'
import { deleteLogo } from './logos/store.ts'
import * as store from './store.ts'

interface AccountDeletionDeps
  extends Pick<Services, 'database' | 'clock' | 'log' | 'host' | 'sendMail'> {
  /**
   * Remove what other features store of an account: in the transaction that closes it, and in the
   * last one, since a concurrent request may have stored an upload or signed in.
   */
  removals: readonly ((tx: Tx, accountId: string) => Promise<unknown>)[]
  /** From the commit on, every node reads its pages again: they are closed by the account's row. */
  announcePages(tx: Tx, accountId: string): Promise<void>
  /**
   * Deletes all pages, each in its own transaction, so that visitors of other pages do not wait.
   */
  deletePages(accountId: string): Promise<void>
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>

export function createAccountDeletion(deps: AccountDeletionDeps) {
  const { database, clock, log, removals, deletePages } = deps

  async function close(tx: Tx, account: Account): Promise<void> {
    await assertOtherOperator(tx, account)
    const unusedEmail = `${account.id}@deleted.invalid`
    if (!(await store.closeAccount(tx, [account.id, clock.now(), unusedEmail]))) return
    await store.deleteKeys(tx, [account.id])
    await deleteLogo(tx, [account.id])
    for (const remove of removals) await remove(tx, account.id)
    await deps.announcePages(tx, account.id)
    await deps.sendMail(tx, deletedMail(account.email, deps.host))
  }

  async function finish(accountId: string): Promise<void> {
    await deletePages(accountId)
    await database.write(async (tx) => {
      for (const remove of removals) await remove(tx, accountId)
      await store.deleteAccount(tx, [accountId])
    }, 'freeing')
  }

  return {
    /**
     * Deletes an account. Its sessions and keys end and its pages close in one transaction, before
     * the promise resolves; what it stored is deleted page by page afterwards.
     *
     * @param emailInput its address, which its owner typed to confirm
     * @throws Refusal `email_mismatch`, `last_operator`
     */
    async delete(account: Account, emailInput: string) {
      if (parseEmail(emailInput) !== account.email) {
        const address = displayEmail(account.email)
        const text = `Type the address of this account, ${address}, to delete it.`
        throw refuse.invalid('email_mismatch', text, { param: 'email' })
      }
      await database.write((tx) => close(tx, account), 'freeing')
      finish(account.id).catch((err) =>
        log.error('an account is not deleted whole yet', { account_id: account.id, err }),
      )
    },
    /** Deletes the remaining data of deleted accounts. */
    async sweep() {
      for (const id of await store.listClosedAccounts(database.read)) await finish(id)
    },
  }
}

function deletedMail(to: string, host: string): MailContent {
  return {
    to,
    subject: `Your account at ${host} was deleted`,
    heading: 'Your account was deleted',
    paragraphs: [
      `The account ${displayEmail(to)} at ${host} was deleted, with its keys and all its pages.`,
      'If it was not you, tell the operator of the server at once.',
    ],
    reason: 'Somebody who was signed in to the account deleted it.',
  }
}
