import { migrations } from '../migration.ts'

/**
 * How accounts present themselves. The accent of a page was `blue` unless it was chosen: null now
 * leaves it to its account. Within JSON no text can contain these quotes.
 */
export const brands = migrations({
  '0045-brands': `
    ALTER TABLE accounts ADD COLUMN accent text;
    ALTER TABLE accounts ADD COLUMN logo_id text;
    CREATE TABLE logos (
      account_id text PRIMARY KEY REFERENCES accounts (id), id text NOT NULL, mime text NOT NULL,
      data {blob} NOT NULL);
    CREATE INDEX logos_by_id ON logos (id);
    UPDATE pages SET settings = replace(settings, '"accent":"blue"', '"accent":null')
      WHERE settings LIKE '%"accent":"blue"%';
`,
})
