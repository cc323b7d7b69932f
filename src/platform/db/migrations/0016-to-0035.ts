import { migrations } from '../migration.ts'

/** Those after 0015 that are SQL alone and the same on both engines. */
export const FROM_16 = migrations({
  /** Marks deleted accounts, until all that they stored is deleted. */
  '0016-account-deletion': `
    ALTER TABLE accounts ADD COLUMN deleted_at text;
    CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL;`,
  /** Pages that the operator of the server took down. */
  '0017-takedowns': `
    ALTER TABLE pages ADD COLUMN taken_down_at text;
    ALTER TABLE pages ADD COLUMN taken_down_reason text;
    CREATE INDEX pages_taken_down ON pages (taken_down_at) WHERE taken_down_at IS NOT NULL;`,
  /** What the inbox of an account sorts threads and finds decisions by. */
  '0018-inbox': `
    DROP INDEX comments_replies;
    CREATE INDEX comments_replies ON comments (parent_id, created_at)
      WHERE parent_id IS NOT NULL;
    CREATE INDEX approval_decisions_of_approver
      ON approval_decisions (page_id, email, decided_at, id);`,
  /** Decisions and signed records of other servers, which came with an imported page. */
  '0019-imported-approvals': `
    ALTER TABLE approval_decisions ADD COLUMN imported_at text;
    CREATE TABLE imported_approval_records (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      issuer text NOT NULL, key_id text NOT NULL, signed_at text NOT NULL,
      imported_at text NOT NULL, record text NOT NULL);
    CREATE INDEX imported_approval_records_of_page
      ON imported_approval_records (page_id, signed_at, id);`,
  /** Marks viewers whose address another server has confirmed. */
  '0020-imported-viewers': `
    ALTER TABLE confirmed_viewers ADD COLUMN imported_at text;`,
  /** What content needs an origin of its own for. It is found when the release is made again. */
  '0021-origin-needs': `
    ALTER TABLE manifests ADD COLUMN needs_origin text;`,
  /**
   * Indexes the comments that were changed after they were posted. New ones are found by their
   * time, so that posting writes one index less.
   */
  '0022-comment-changes': `
    ALTER TABLE comments ADD COLUMN changed_revision bigint;
    DROP INDEX comments_changed;
    CREATE INDEX comments_changed ON comments (page_id, changed_revision)
      WHERE changed_revision IS NOT NULL;`,
  /** Pages that an import is bringing, which nobody sees yet, and where imported pages are from. */
  '0024-imports': `
    ALTER TABLE pages ADD COLUMN importing_at text;
    CREATE INDEX pages_importing ON pages (importing_at) WHERE importing_at IS NOT NULL;
    CREATE TABLE imported_pages (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      account_id text NOT NULL REFERENCES accounts (id), from_server text NOT NULL,
      from_page_id text NOT NULL);
    CREATE UNIQUE INDEX imported_pages_from ON imported_pages (account_id, from_page_id);`,
  /** Views are counted in files first: a row for each, with the last batch that was added. */
  '0025-view-moves': `
    CREATE TABLE view_moves (file text PRIMARY KEY, batch bigint NOT NULL);`,
  /** Work that one node at a time does: who does it now, and until when without another word. */
  '0026-leases': `
    CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, ends_ms bigint NOT NULL);`,
  /** Who people are at a provider of single sign-on; an account has one identity at each. */
  '0027-identities': `
    CREATE TABLE identities (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id),
      issuer text NOT NULL, subject text NOT NULL, email text,
      created_at text NOT NULL, last_used_at text NOT NULL,
      UNIQUE (issuer, subject), UNIQUE (account_id, issuer));`,
  /**
   * Lists leave out pages that an import is bringing. Indexes without these pages have all that an
   * offset skips, and all that a count needs: the pages themselves are not read.
   */
  '0028-list-indexes': `
    DROP INDEX pages_by_edit;
    CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id)
      WHERE importing_at IS NULL;
    DROP INDEX pages_by_creation;
    CREATE INDEX pages_by_creation ON pages (account_id, created_at, id)
      WHERE importing_at IS NULL;`,
  /**
   * On PostgreSQL: the pages that changed in the last minutes, by the transaction that changed
   * them. Nodes that keep pages in memory read it, because a notification can be lost.
   */
  '0029-page-changes': `
    CREATE TABLE page_changes (
      xid bigint NOT NULL, slug text NOT NULL, changed_ms bigint NOT NULL,
      PRIMARY KEY (xid, slug));`,
  /** Accounts that the operator of the server suspended: nothing of theirs is served. */
  '0031-suspensions': `
    ALTER TABLE accounts ADD COLUMN suspended_at text;`,
  /** What each account stores, so that a write can compare it with the plan. */
  '0032-quotas': `
    ALTER TABLE accounts ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0;
    UPDATE accounts SET stored_bytes = coalesce((
      SELECT sum(v.size_bytes) FROM versions v JOIN pages p ON p.id = v.page_id
      WHERE p.account_id = accounts.id), 0);
    CREATE INDEX uploads_of_account ON uploads (account_id);`,
  /**
   * Slugs that accounts gave up. They outlive the account: then nobody may take them, which no
   * account means.
   */
  '0035-freed-slugs': `
    CREATE TABLE freed_slugs (slug text PRIMARY KEY, account_id text, freed_at text NOT NULL);
    CREATE INDEX freed_slugs_by_time ON freed_slugs (freed_at);
    CREATE INDEX freed_slugs_of_account ON freed_slugs (account_id);`,
  /** Decisions of approvers who came by a link that the owner handed on, not by a mail. */
  '0037-decision-proofs': `
    ALTER TABLE approval_decisions ADD COLUMN proof text NOT NULL DEFAULT 'mail';`,
})
