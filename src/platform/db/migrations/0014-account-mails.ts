import type { Migration } from '../migration.ts'

/** A switch of an account for all mails about its pages. */
export const accountMails: Migration = {
  name: '0014-account-mails',
  up: () => ['ALTER TABLE accounts ADD COLUMN page_mails integer NOT NULL DEFAULT 1'],
}
