import type { Migration } from '../migration.ts'

/** Who people are at a provider of single sign-on; an account has one identity at each. */
export const identities: Migration = {
  name: '0027-identities',
  up: () => [
    `CREATE TABLE identities (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id),
      issuer text NOT NULL, subject text NOT NULL, email text,
      created_at text NOT NULL, last_used_at text NOT NULL,
      UNIQUE (issuer, subject), UNIQUE (account_id, issuer))`,
  ],
}
