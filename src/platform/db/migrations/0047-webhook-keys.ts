import { migrations } from '../migration.ts'

/** The API key that a webhook came with, and ends with. */
export const webhookKeys = migrations({
  '0047-webhook-keys': `
    ALTER TABLE webhooks ADD COLUMN key_id text REFERENCES api_keys (id) ON DELETE CASCADE;
    CREATE INDEX webhooks_of_key ON webhooks (key_id) WHERE key_id IS NOT NULL;`,
})
