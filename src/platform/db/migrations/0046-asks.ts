import { migrations } from '../migration.ts'

/** Questions to people, whose answers are events of a page. */
export const asks = migrations({
  '0046-asks': `
    CREATE TABLE asks (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      kind text NOT NULL, people text NOT NULL, after_number bigint NOT NULL,
      due_at text, cancelled_at text, created_at text NOT NULL);
    CREATE INDEX asks_of_account ON asks (account_id, id);
    CREATE INDEX asks_of_page ON asks (page_id);`,
})
