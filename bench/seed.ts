/**
 * Fills a new data folder with pages of one account. It creates the first ones through the API and
 * copies their rows under new names, so that tables and indexes are as large as if every page had
 * been published.
 * Run: bin/bun bench/seed.ts DATA_DIR PAGES. Prints JSON: the API key and some random pages.
 */

import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { join } from 'node:path'
import { WEB_FILES } from '../src/commands/places.ts'
import { openRuntime } from '../src/commands/runtime.ts'
import { loadAssets } from '../src/http/kit/assets.ts'
import { createClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { newId, newSlug } from '../src/platform/ids.ts'
import { createServer } from '../src/server.ts'
import { htmlOf } from './sample-content.ts'
import { environmentOf } from './servers.ts'

export interface Seeded {
  key: string
  sample: { id: string; slug: string }[]
}

type Row = Record<string, SQLQueryBindings>

/** How many pages have content of their own. The copies share it, as equal content does. */
const ORIGINALS = 1000
const SAMPLE = 2000
const BATCH = 20_000
/** The time between the creation of two pages. */
const INTERVAL_MS = 1000

const [dataDir = '', count = ''] = process.argv.slice(2)
const pages = Number(count)
const key = await publishOriginals(Math.min(pages, ORIGINALS))
using db = new Database(join(dataDir, 'handbill.db'), { readwrite: true })
copyOriginals(pages - ORIGINALS)
const seeded: Seeded = { key, sample: sampleOf() }
process.stdout.write(JSON.stringify(seeded))

async function publishOriginals(count: number): Promise<string> {
  const settings = { ...environmentOf(dataDir, 1), LOG_LEVEL: 'warn' }
  const { app, platform, config, close } = await openRuntime(readConfig(settings))
  const server = createServer(platform, app, { assets: loadAssets(WEB_FILES) })
  const { email } = await app.accounts.add({ email: 'seed@handbill.example', plan: 'pro' })
  const { key } = await app.accounts.createKey(email, null)
  for (let i = 0; i < count; i++) {
    const html = new TextDecoder().decode(htmlOf(4096, `Original ${i}`))
    const answer = await server.fetch(
      new Request(`${config.baseUrl}/api/v1/pages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ html }),
      }),
    )
    if (!answer.ok) throw new Error(`A create answered ${answer.status}: ${await answer.text()}`)
  }
  await close()
  return key
}

function copyOriginals(count: number): void {
  if (count <= 0) return
  db.run('PRAGMA synchronous = OFF')
  db.run('PRAGMA cache_size = -400000')
  const originals = db.query('SELECT * FROM pages').all() as Row[]
  const versions = rowsByPage('versions')
  const counters = rowsByPage('view_counters')
  const now = createClock(() => Date.now() - count * INTERVAL_MS + copied * INTERVAL_MS).now
  let copied = 0
  const insert = { pages: inserter('pages'), versions: inserter('versions') }
  const insertCounter = inserter('view_counters')

  function copyOne(): void {
    const original = originals[copied % originals.length]!
    const at = now()
    const id = newId('pg', Date.parse(at))
    const times = { published_at: at, created_at: at, updated_at: at }
    const names = { id, slug: newSlug(), title: `Copy ${copied}` }
    insert.pages({ ...original, ...names, ...times })
    insert.versions({ ...versions.get(original.id!)!, page_id: id, created_at: at })
    insertCounter({ ...counters.get(original.id!)!, page_id: id })
    copied += 1
  }
  const copyBatch = db.transaction(() => {
    for (const end = Math.min(count, copied + BATCH); copied < end; ) copyOne()
  })
  while (copied < count) copyBatch()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

function rowsByPage(table: string): Map<SQLQueryBindings, Row> {
  const rows = db.query(`SELECT * FROM ${table}`).all() as Row[]
  return new Map(rows.map((row) => [row.page_id!, row]))
}

/** Inserts rows into a table with the columns it has. */
function inserter(table: string): (row: Row) => void {
  const columns = (db.query(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  )
  const parameters = columns.map(() => '?').join(', ')
  const statement = db.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters})`)
  return (row) => {
    statement.run(...columns.map((column) => row[column]!))
  }
}

function sampleOf(): Seeded['sample'] {
  const { last } = db.query('SELECT max(rowid) AS last FROM pages').get() as { last: number }
  const at = db.query('SELECT id, slug FROM pages WHERE rowid = ?')
  const rowids = new Set<number>()
  while (rowids.size < Math.min(SAMPLE, last)) rowids.add(1 + Math.floor(Math.random() * last))
  return [...rowids].map((rowid) => at.get(rowid) as { id: string; slug: string })
}
