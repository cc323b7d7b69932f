/** Fills the database of a server that writes nothing meanwhile, by copying what the API has made. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'

const HOURS_EACH = 7
const FACETS_EACH = 10
const YEAR_HOURS = 365 * 24
const HOUR_MS = 3_600_000

/**
 * Copies a page, and gives each copy views of the last month and some words of its own.
 *
 * @param id a page with one version, which gets views in every hour of a year
 */
export function addPages(dataDir: string, id: string, count: number): void {
  using db = new Database(join(dataDir, 'handbill.db'), { readwrite: true })
  db.run('PRAGMA busy_timeout = 20000')
  db.run('PRAGMA synchronous = OFF')
  const hour = Math.floor(Date.now() / HOUR_MS)
  const numbers = (upTo: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${upTo})`

  function copy(table: string, own: Record<string, string>): void {
    const columns = (db.query(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
      ({ name }) => name,
    )
    const values = columns.map((name) => own[name] ?? name)
    const where = `${'page_id' in own ? 'page_id' : 'id'} = '${id}'`
    db.run(`INSERT INTO ${table} (${columns.join()}) ${numbers(count)}
      SELECT ${values.join()} FROM numbers, ${table} WHERE ${where}`)
  }

  db.transaction(() => {
    const copyId = `substr('${id}', 1, 20) || substr('00000000' || n, -9)`
    copy('pages', {
      id: copyId,
      slug: "'copy-' || n",
      title: "'Copy ' || n",
      search_text: "'copy ' || n",
    })
    copy('versions', { page_id: copyId })
    copy('view_counters', { page_id: copyId, views: String(HOURS_EACH) })
    db.run(`INSERT INTO view_hours (page_id, hour, views, viewers) ${numbers(HOURS_EACH)}
      SELECT id, ${hour} - n * 97, 1, 1 FROM pages, numbers`)
    db.run(`INSERT INTO view_facets (page_id, day, facet, value, count, seconds)
      ${numbers(FACETS_EACH)} SELECT id, ${Math.floor(hour / 24)} - n, 'referrer',
      'site' || n || '.example', 1, 0 FROM pages, numbers`)
    db.run(`INSERT OR IGNORE INTO view_hours (page_id, hour, views, viewers) ${numbers(YEAR_HOURS)}
      SELECT '${id}', ${hour} - n, 1, 1 FROM numbers`)
  })()
}
