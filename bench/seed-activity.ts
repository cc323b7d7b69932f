/** Adds months of activity to a data folder, by copying rows that the API has made. */

import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { join } from 'node:path'
import { newId } from '../src/platform/ids.ts'

type Row = Record<string, SQLQueryBindings>

const HOUR_MS = 3_600_000
/** The activity of a page that was viewed every hour for a year. */
const BUSY_HOURS = 365 * 24
const BUSY_DAYS = 90
const BUSY_REFERRERS = 60
const LONG_AGO = '2020-01-01T00:00:00.000000Z'
/** The activity of every other page. */
const HOURS_EACH = 7
const FACETS_EACH = 10

/** Opens the database of a server that runs. */
export function openSeeding(dataDir: string) {
  const db = new Database(join(dataDir, 'handbill.db'), { readwrite: true })
  db.run('PRAGMA busy_timeout = 20000')
  db.run('PRAGMA synchronous = OFF')
  const now = Math.floor(Date.now() / HOUR_MS)
  /** Waits for writes of the server: it counts views meanwhile. */
  const transaction = <Given extends unknown[]>(work: (...args: Given) => void) =>
    db.transaction(work).immediate as (...inputs: Given) => void

  function addViews(pageId: string, hours: number[], facets: [string, string, number][]): void {
    for (const hour of hours) insertHour.run(pageId, hour)
    for (const [facet, value, day] of facets) insertFacet.run(pageId, day, facet, value)
    db.run('UPDATE view_counters SET views = views + ? WHERE page_id = ?', [hours.length, pageId])
  }
  const insertHour = db.query(
    'INSERT OR IGNORE INTO view_hours (page_id, hour, views, viewers) VALUES (?, ?, 1, 1)',
  )
  const insertFacet = db.query(
    `INSERT OR IGNORE INTO view_facets (page_id, day, facet, value, count, seconds)
     VALUES (?, ?, ?, ?, 1, 0)`,
  )

  return {
    /** Views of all pages of an account in the last month. */
    viewAll: transaction((pageId: string) => {
      const { account_id: account } = db
        .query('SELECT account_id FROM pages WHERE id = ?')
        .get(pageId) as Row
      const pages = db.query('SELECT id FROM pages WHERE account_id = ?').all(account!) as Row[]
      for (const [at, { id }] of pages.entries()) {
        const hours = times(HOURS_EACH).map((n) => now - 1 - n * 97 - (at % 90))
        const facets = times(FACETS_EACH).map((n): [string, string, number] => [
          n % 2 ? 'referrer' : 'browser',
          `value${(at + n) % 40}.example`,
          Math.floor(now / 24) - 1 - n,
        ])
        addViews(id as string, hours, facets)
      }
    }),
    /** Views of a page in every hour of a year. */
    viewOften: transaction((pageId: string) => {
      const hours = times(BUSY_HOURS).map((n) => now - 1 - n)
      const facets = times(BUSY_DAYS * BUSY_REFERRERS).map((n): [string, string, number] => [
        'referrer',
        `site${n % BUSY_REFERRERS}.example`,
        Math.floor(now / 24) - 1 - Math.floor(n / BUSY_REFERRERS),
      ])
      addViews(pageId, hours, facets)
    }),
    /** Copies the one response of a page. */
    copyResponse: transaction((pageId: string, count: number) => {
      const row = rowOf('responses', pageId)
      const first = Date.parse(row.created_at as string) - count * 1000
      for (let n = 0; n < count; n++) {
        const at = timeText(first + n * 1000)
        const data = (row.data as string).replace('Answer', `Answer ${n}`)
        const own = { id: newId('rsp'), viewer: `viewer ${n}`, data, created_at: at }
        insert('responses', { ...row, ...own, submitted_at: at })
      }
      const total = 'count = count + ?, bytes = bytes + ?, revision = revision + 1'
      db.run(`UPDATE response_counters SET ${total} WHERE page_id = ?`, [
        ...[count, count * (row.size_bytes as number), pageId],
      ])
    }),
    /** Copies the one comment of a page. */
    copyComment: transaction((pageId: string, count: number) => {
      const row = rowOf('comments', pageId)
      const first = Date.parse(row.created_at as string) - count * 1000
      for (let n = 0; n < count; n++) {
        const at = timeText(first + n * 1000)
        const own = { id: newId('cmt'), submission_id: `copy ${n}`, body: `Words ${n}` }
        insert('comments', { ...row, ...own, created_at: at, last_at: at })
      }
      db.run('UPDATE comment_counters SET count = count + ? WHERE page_id = ?', [count, pageId])
    }),
    /** Named votes of a poll that nobody has voted in. */
    addVotes: transaction((pageId: string, options: readonly string[], count: number) => {
      insert('polls', { page_id: pageId, vote_count: count, option_count: options.length })
      for (const [at, text] of options.entries()) {
        insert('poll_options', { page_id: pageId, option_no: at + 1, text })
      }
      const first = Date.now() - count * 1000
      for (let n = 0; n < count; n++) {
        const own = { voter: `voter ${n}`, email: `voter${n}@handbill.example`, name: `Voter ${n}` }
        const option_no = 1 + (n % options.length)
        const voted_at = timeText(first + n * 1000)
        insert('votes', { page_id: pageId, option_no, ...own, voted_at })
      }
    }),
    /** Content that lost its last reference did so long ago. */
    ageUnreferenced: transaction(() => {
      const ids = 'SELECT id FROM gc_candidate_manifests'
      const hashes = `SELECT hash FROM manifest_blobs WHERE manifest_id IN (${ids})`
      db.run(`UPDATE manifests SET touched_at = ? WHERE id IN (${ids})`, [LONG_AGO])
      db.run(`UPDATE blobs SET touched_at = ? WHERE hash IN (${hashes})`, [LONG_AGO])
      db.run('UPDATE gc_candidate_manifests SET since = ?', [LONG_AGO])
    }),
    /** How much of that is still there. */
    countAged(): number {
      const aged = 'SELECT count(*) AS count FROM gc_candidate_manifests WHERE since = ?'
      return (db.query(aged).get(LONG_AGO) as { count: number }).count
    },
    close() {
      db.run('PRAGMA wal_checkpoint(PASSIVE)')
      db.close()
    },
  }

  function rowOf(table: string, pageId: string): Row {
    return db.query(`SELECT * FROM ${table} WHERE page_id = ?`).get(pageId) as Row
  }
  function insert(table: string, row: Row): void {
    const names = Object.keys(row)
    const marks = names.map(() => '?').join()
    db.query(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`).run(...Object.values(row))
  }
}

function times(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
