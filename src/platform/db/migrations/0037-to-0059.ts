import { migrations } from '../migration.ts'

const IS_SHOWN = 'importing_at IS NULL AND trashed_at IS NULL'
const PERSON = 'page_id, email, views, first_at, last_at, seconds'
const FROM_COMMENTS = `
  SELECT page_id, author_email, 0, min(created_at), max(created_at), 0 FROM comments
  WHERE author_kind = 'confirmed' AND author_email IS NOT NULL GROUP BY page_id, author_email`
const FROM_VOTES = `
  SELECT page_id, email, 0, min(voted_at), max(voted_at), 0 FROM votes
  WHERE email IS NOT NULL AND voted_at IS NOT NULL GROUP BY page_id, email`
const FROM_DECISIONS = `
  SELECT page_id, email, 0, min(decided_at), max(decided_at), 0 FROM approval_decisions
  WHERE imported_at IS NULL GROUP BY page_id, email`

/** Those from 0037 on that are SQL alone and the same on both engines. */
export const FROM_37 = migrations({
  /**
   * Pages in the trash of their account. What was published of one is beside it, so that no query
   * of published pages finds it. Its title is free for another page, and lists leave it out.
   */
  '0037-trash': `
    ALTER TABLE pages ADD COLUMN trashed_at text;
    ALTER TABLE pages ADD COLUMN trashed_published_id text;
    DROP INDEX pages_title;
    CREATE UNIQUE INDEX pages_title ON pages (account_id, title) WHERE trashed_at IS NULL;
    DROP INDEX pages_by_edit;
    CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id) WHERE ${IS_SHOWN};
    DROP INDEX pages_by_creation;
    CREATE INDEX pages_by_creation ON pages (account_id, created_at, id) WHERE ${IS_SHOWN};
    CREATE INDEX pages_trashed ON pages (account_id, id) WHERE trashed_at IS NOT NULL;
    CREATE INDEX pages_trashed_at ON pages (trashed_at) WHERE trashed_at IS NOT NULL;
    CREATE INDEX pages_trashed_content ON pages (trashed_published_id)
      WHERE trashed_published_id IS NOT NULL;`,
  /** Public keys of authenticators, which sign in to an account. */
  '0038-passkeys': `
    CREATE TABLE passkeys (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), name text NOT NULL,
      credential_id text NOT NULL UNIQUE, public_key text NOT NULL, counter bigint NOT NULL,
      created_at text NOT NULL, last_used_at text);
    CREATE INDEX passkeys_of_account ON passkeys (account_id, created_at, id);`,
  /** What operators set in the app. */
  '0040-settings': `
    CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL, updated_at text NOT NULL);`,
  /** What saved a version: the interface, and the name of the API key that was used. */
  '0041-version-authors': `
    ALTER TABLE versions ADD COLUMN via text;
    ALTER TABLE versions ADD COLUMN key_name text;`,
  /** The folder of a page, by its name, for lists. It is one of the settings. */
  '0042-folders': `
    ALTER TABLE pages ADD COLUMN folder text;
    CREATE INDEX pages_in_folders ON pages (account_id, folder, updated_at, id)
      WHERE folder IS NOT NULL AND importing_at IS NULL AND trashed_at IS NULL;`,
  /** What an API key is limited to. Keys from before have no limits. */
  '0043-key-limits': `
    ALTER TABLE api_keys ADD COLUMN confirmed_only integer NOT NULL DEFAULT 0;`,
  /** Addresses that events are sent to, and what was sent to them or waits for it. */
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
  /** How accounts present themselves. */
  '0045-brands': `
    ALTER TABLE accounts ADD COLUMN accent text;
    ALTER TABLE accounts ADD COLUMN logo_id text;
    CREATE TABLE logos (
      account_id text PRIMARY KEY REFERENCES accounts (id), id text NOT NULL, mime text NOT NULL,
      data {blob} NOT NULL);
    CREATE INDEX logos_by_id ON logos (id);
`,
  /** Questions to people, whose answers are events of a page. */
  '0046-asks': `
    CREATE TABLE asks (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      kind text NOT NULL, people text NOT NULL, after_number bigint NOT NULL,
      due_at text, cancelled_at text, created_at text NOT NULL);
    CREATE INDEX asks_of_account ON asks (account_id, id);
    CREATE INDEX asks_of_page ON asks (page_id);`,
  /** The API key that a webhook came with, and ends with. */
  '0047-webhook-keys': `
    ALTER TABLE webhooks ADD COLUMN key_id text REFERENCES api_keys (id) ON DELETE CASCADE;
    CREATE INDEX webhooks_of_key ON webhooks (key_id) WHERE key_id IS NOT NULL;`,
  /** The filters of its list of pages to which an account has given names. */
  '0048-saved-filters': `
    ALTER TABLE accounts ADD COLUMN saved_filters text;`,
  /** What an API key may do, on which pages, and until when. Keys from before may do everything. */
  '0049-key-scopes': `
    ALTER TABLE api_keys ADD COLUMN scopes text NOT NULL
      DEFAULT 'pages:read pages:write feedback:read';
    ALTER TABLE api_keys ADD COLUMN page_ids text;
    ALTER TABLE api_keys ADD COLUMN expires_at text;`,
  /** Apps that act for an account. What one may do is a key; its tokens end with that. */
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
  /** Links of a page that each name whom they were given to. */
  '0051-links': `
    CREATE TABLE page_links (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      account_id text NOT NULL, token text NOT NULL UNIQUE,
      label text NOT NULL, email text, note text,
      expires_at text, max_views integer, off_at text, opens integer NOT NULL,
      first_opened_at text, last_opened_at text, sent_at text, bounced_at text,
      created_at text NOT NULL);
    CREATE INDEX page_links_of_page ON page_links (page_id, id);
    CREATE INDEX page_links_of_account ON page_links (account_id);`,
  /** What visitors of a page agree to before they see it, and who has. */
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
  /** The named link by which somebody came who did something. */
  '0053-event-links': 'ALTER TABLE feedback_events ADD COLUMN link_id text;',
  /** The named link that a mail sends, which learns where the mail is refused. */
  '0054-link-mails': 'ALTER TABLE outbox ADD COLUMN link_id text;',
  /** Finds what is known of people by its age and by their address. */
  '0055-people-retention': `
    CREATE INDEX confirmed_viewers_by_age ON confirmed_viewers (last_at);
    CREATE INDEX page_links_by_age ON page_links (coalesce(last_opened_at, sent_at));
    CREATE INDEX page_links_by_email ON page_links (email);`,
  /**
   * Which browsers and confirmed addresses came by a named link, how far, and who was reminded of
   * it. Whoever confirmed an address to comment, vote or decide is known beside those at a gate.
   */
  '0056-people': `
    CREATE TABLE link_visitors (
      link_id text NOT NULL REFERENCES page_links (id) ON DELETE CASCADE, visitor text NOT NULL,
      email text, first_at text NOT NULL, last_at text NOT NULL,
      seconds integer NOT NULL, last_sheet integer, sections integer,
      PRIMARY KEY (link_id, visitor));
    CREATE INDEX link_visitors_by_email ON link_visitors (email) WHERE email IS NOT NULL;
    CREATE INDEX link_visitors_by_age ON link_visitors (last_at);
    CREATE TABLE link_reminders (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, recipient text NOT NULL,
      count integer NOT NULL, last_at text NOT NULL, PRIMARY KEY (page_id, recipient));
    CREATE TABLE link_mail_stops (
      account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      recipient text NOT NULL, PRIMARY KEY (account_id, recipient));
    CREATE INDEX feedback_events_by_link ON feedback_events (link_id) WHERE link_id IS NOT NULL;
    CREATE INDEX view_facets_of_links ON view_facets (page_id, value)
      WHERE facet = 'link_refusal';
    ALTER TABLE confirmed_viewers ADD COLUMN sections integer;
    ${[FROM_COMMENTS, FROM_VOTES, FROM_DECISIONS]
      .map((rows) => `INSERT INTO confirmed_viewers (${PERSON}) ${rows} ON CONFLICT DO NOTHING;`)
      .join('\n    ')}`,
  /** When the owner of a page is told that its link has expired; those of before were not. */
  '0057-closed-links': `
    ALTER TABLE view_counters ADD COLUMN closes_at text;
    UPDATE view_counters SET closes_at = (
      SELECT expires_at FROM pages WHERE id = page_id AND expires_at > '2026-11-28');
    CREATE INDEX view_counters_closing ON view_counters (closes_at) WHERE closes_at IS NOT NULL;`,
  /** Finds open items by their pages, which the inbox counts, and all that a sweep deletes. */
  '0058-event-indexes': `
    DROP INDEX feedback_events_counted;
    CREATE INDEX feedback_events_counted
      ON feedback_events (account_id, place, type, page_id, is_read) WHERE place IS NOT NULL;
    DROP INDEX feedback_events_to_sweep;
    CREATE INDEX feedback_events_to_sweep ON feedback_events (at)
      WHERE place IS NULL AND link_id IS NULL
        AND type IN ('reply', 'response', 'vote', 'opened', 'page_closed');`,
  /** Adds up the uploads of an account by the index alone. */
  '0059-upload-sums': `
    DROP INDEX uploads_of_account;
    CREATE INDEX uploads_of_account ON uploads (account_id, expires_at, size_bytes);`,
})
