import { migrations } from '../migration.ts'

/** What visitors of a page agree to before they see it, and who has. */
export const agreements = migrations({
  '0052-agreements': `
    CREATE TABLE agreements (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, version integer NOT NULL,
      require text NOT NULL, type text NOT NULL, sha256 text NOT NULL, data {blob} NOT NULL,
      size_bytes integer NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (page_id, version));
    CREATE TABLE agreement_acceptances (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      agreement_version integer NOT NULL, name text NOT NULL, email text, proof text NOT NULL,
      link_id text, browser text, page_version integer, accepted_at text NOT NULL,
      imported_at text);
    CREATE INDEX agreement_acceptances_of_page ON agreement_acceptances (page_id, accepted_at, id);
    CREATE UNIQUE INDEX agreement_acceptances_once ON agreement_acceptances (
      page_id, agreement_version, browser, name, coalesce(email, '')) WHERE browser IS NOT NULL;`,
})
