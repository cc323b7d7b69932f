import { sql } from 'kysely'
import { searchTextOf } from '../../../model/page/facts.ts'
import type { Migration, MigrationTx } from '../migration.ts'

/** How many pages are read at once. */
const BATCH = 1000

/** What lists of pages filter, search and sort by, and the index of open threads of comments. */
export const pageLists: Migration = {
  name: '0015-page-lists',
  up: (blob) => [
    "ALTER TABLE pages ADD COLUMN access text NOT NULL DEFAULT 'link'",
    'ALTER TABLE pages ADD COLUMN expires_at text',
    // PostgreSQL would order it by the language of the database.
    `ALTER TABLE pages ADD COLUMN search_text text ${blob === 'bytea' ? 'COLLATE "C"' : ''}
      NOT NULL DEFAULT ''`,
    'CREATE INDEX pages_by_creation ON pages (account_id, created_at, id)',
    `CREATE INDEX comments_open ON comments (page_id, created_at)
      WHERE parent_id IS NULL AND state = 'open' AND is_hidden = 0`,
  ],
  async fill(tx) {
    let last = ''
    for (;;) {
      const rows = await readPages(tx, last)
      for (const row of rows) await fillPage(tx, row)
      if (rows.length < BATCH) return
      last = rows.at(-1)!.id
    }
  },
}

interface Row {
  id: string
  title: string | null
  slug: string
  settings: string
}

async function readPages(tx: MigrationTx, after: string): Promise<Row[]> {
  const { rows } = await sql<Row>`SELECT id, title, slug, settings FROM pages
    WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`.execute(tx)
  return rows
}

async function fillPage(tx: MigrationTx, { id, settings, ...named }: Row): Promise<void> {
  const { access = 'link', expires_at: expiresAt = null } = JSON.parse(settings)
  await sql`UPDATE pages SET access = ${access}, expires_at = ${expiresAt},
    search_text = ${searchTextOf(named)} WHERE id = ${id}`.execute(tx)
}
