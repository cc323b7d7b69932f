import { migrations } from '../migration.ts'

/** How accounts present themselves. */
export const brands = migrations({
  '0045-brands': `
    ALTER TABLE accounts ADD COLUMN accent text;
    ALTER TABLE accounts ADD COLUMN logo_id text;
    CREATE TABLE logos (
      account_id text PRIMARY KEY REFERENCES accounts (id), id text NOT NULL, mime text NOT NULL,
      data {blob} NOT NULL);
    CREATE INDEX logos_by_id ON logos (id);
`,
})
