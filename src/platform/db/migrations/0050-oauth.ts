import { migrations } from '../migration.ts'

/** Apps that act for an account. What one may do is a key; its tokens end with that. */
export const oauth = migrations({
  '0050-oauth': `
    ALTER TABLE api_keys ADD COLUMN client_id text;
    CREATE TABLE oauth_clients (
      id text PRIMARY KEY, name text, redirect_uris text NOT NULL, used_at text,
      expires_at text NOT NULL);
    CREATE INDEX oauth_clients_expiring ON oauth_clients (expires_at);
    CREATE TABLE oauth_codes (
      hash text PRIMARY KEY,
      account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      client_id text NOT NULL, client_name text, redirect_uri text NOT NULL,
      challenge text NOT NULL, scopes text NOT NULL, used_at text,
      key_id text REFERENCES api_keys (id) ON DELETE CASCADE, expires_at text NOT NULL);
    CREATE INDEX oauth_codes_of_account ON oauth_codes (account_id);
    CREATE INDEX oauth_codes_of_key ON oauth_codes (key_id) WHERE key_id IS NOT NULL;
    CREATE INDEX oauth_codes_expiring ON oauth_codes (expires_at);
    CREATE TABLE oauth_tokens (
      hash text PRIMARY KEY, key_id text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      scopes text NOT NULL, used_at text, expires_at text NOT NULL);
    CREATE INDEX oauth_tokens_of_key ON oauth_tokens (key_id);
    CREATE INDEX oauth_tokens_expiring ON oauth_tokens (expires_at);`,
})
