import { migrations } from '../migration.ts'

/** Addresses that events are sent to, and what was sent to them or waits for it. */
export const webhooks = migrations({
  '0044-webhooks': `
    CREATE TABLE webhooks (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      page_id text REFERENCES pages (id) ON DELETE CASCADE, url text NOT NULL, host text NOT NULL,
      types text NOT NULL, format text NOT NULL, secret text NOT NULL, off_reason text,
      last_number bigint NOT NULL, due_at text NOT NULL, leased_until text NOT NULL,
      delivered_at text, created_at text NOT NULL);
    CREATE INDEX webhooks_of_account ON webhooks (account_id, created_at, id);
    CREATE INDEX webhooks_of_page ON webhooks (page_id) WHERE page_id IS NOT NULL;
    CREATE INDEX webhooks_of_host ON webhooks (host, leased_until);
    CREATE TABLE webhook_deliveries (
      id text PRIMARY KEY, webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
      page_id text REFERENCES pages (id) ON DELETE CASCADE, number bigint, type text NOT NULL,
      body text NOT NULL, size_bytes bigint NOT NULL, state text NOT NULL,
      attempts integer NOT NULL, due_at text NOT NULL, attempted_at text, status integer,
      answer text, created_at text NOT NULL);
    CREATE UNIQUE INDEX webhook_deliveries_of_event ON webhook_deliveries (webhook_id, number)
      WHERE number IS NOT NULL;
    CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (webhook_id, created_at, id);
    CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_at)
      WHERE state = 'waiting';
    CREATE INDEX webhook_deliveries_of_page ON webhook_deliveries (page_id)
      WHERE page_id IS NOT NULL;`,
})
