import { migrations } from '../migration.ts'

/** The named link that a mail sends, which learns where the mail is refused. */
export const linkMails = migrations({
  '0054-link-mails': 'ALTER TABLE outbox ADD COLUMN link_id text;',
})
