import { migrations } from '../migration.ts'

/** Public keys of authenticators, which sign in to an account. */
export const passkeys = migrations({
  '0038-passkeys': `
    CREATE TABLE passkeys (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), name text NOT NULL,
      credential_id text NOT NULL UNIQUE, public_key text NOT NULL, counter bigint NOT NULL,
      created_at text NOT NULL, last_used_at text);
    CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at, id);`,
})
