import type { Migration } from '../migration.ts'

const IS_SHOWN = 'importing_at IS NULL AND trashed_at IS NULL'

/**
 * Pages in the trash of their account. What was published of one is beside it, so that no query of
 * published pages finds it. Its title is free for another page, and lists leave it out.
 */
export const trash: Migration = {
  name: '0037-trash',
  up: () => [
    'ALTER TABLE pages ADD COLUMN trashed_at text',
    'ALTER TABLE pages ADD COLUMN trashed_published_id text',
    'DROP INDEX pages_title',
    'CREATE UNIQUE INDEX pages_title ON pages (account_id, title) WHERE trashed_at IS NULL',
    'DROP INDEX pages_by_edit',
    `CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id) WHERE ${IS_SHOWN}`,
    'DROP INDEX pages_by_creation',
    `CREATE INDEX pages_by_creation ON pages (account_id, created_at, id) WHERE ${IS_SHOWN}`,
    'CREATE INDEX pages_trashed ON pages (account_id, id) WHERE trashed_at IS NOT NULL',
    'CREATE INDEX pages_trashed_at ON pages (trashed_at) WHERE trashed_at IS NOT NULL',
    `CREATE INDEX pages_trashed_content ON pages (trashed_published_id)
      WHERE trashed_published_id IS NOT NULL`,
  ],
}
