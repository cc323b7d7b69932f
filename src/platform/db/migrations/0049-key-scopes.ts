import { migrations } from '../migration.ts'

/** What an API key may do, on which pages, and until when. Keys from before may do everything. */
export const keyScopes = migrations({
  '0049-key-scopes': `
    ALTER TABLE api_keys ADD COLUMN scopes text NOT NULL
      DEFAULT 'pages:read pages:write feedback:read';
    ALTER TABLE api_keys ADD COLUMN page_ids text;
    ALTER TABLE api_keys ADD COLUMN expires_at text;`,
})
