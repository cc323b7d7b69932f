import { refuse } from '../../model/errors.ts'
import { MAX_INVITEES } from '../../model/page/access.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { PageChanges } from './changes.ts'

/** Settings that turn mails to a page's owner on and off. */
export type MailSetting =
  | 'notify_on_view'
  | 'notify_on_response'
  | 'notify_on_comment'
  | 'notify_on_decision'

/** Settings that other features change, on behalf of a page's owner. */
export interface SettingChanges {
  /** Adds an address to the invited ones. @throws Refusal `too_many_invitees` */
  invite(tx: Tx, page: Page, email: string): Promise<void>
  /** Turns the owner's mails of one kind off. */
  stopMails(page: Page, setting: MailSetting): Promise<void>
}

export interface SettingChangesDeps {
  database: Database
  changes: PageChanges
}

export function createSettingChanges({ database, changes }: SettingChangesDeps): SettingChanges {
  return {
    async invite(tx, page, email) {
      await changes.changeWithin(tx, page, {
        onDraft: false,
        async apply(_tx, current) {
          const { allowed_emails: allowedEmails } = current.settings
          if (allowedEmails.length >= MAX_INVITEES) throw tooManyInvitees()
          const invited = [...new Set([...allowedEmails, email])]
          return { ...current, settings: { ...current.settings, allowed_emails: invited } }
        },
      })
    },
    async stopMails(page, setting) {
      await database.write((tx) =>
        changes.changeWithin(tx, page, {
          onDraft: false,
          apply: async (_tx, current) => ({
            ...current,
            settings: { ...current.settings, [setting]: false },
          }),
        }),
      )
    },
  }
}

function tooManyInvitees() {
  return refuse.conflict(
    'too_many_invitees',
    `The page has ${MAX_INVITEES} invited addresses, the most it takes: remove one first.`,
    { limit: MAX_INVITEES },
  )
}
