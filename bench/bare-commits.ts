/**
 * Measures how many durable commits of one 10 KB row SQLite makes per second on this disk.
 * Run: bin/bun bench/bare-commits.ts FILE SECONDS. Prints commits per second.
 */
import { Database } from 'bun:sqlite'
import { htmlOf } from './sample-content.ts'

const [file = '', seconds = '1'] = process.argv.slice(2)
const db = new Database(file, { create: true })
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run('CREATE TABLE pages (id text PRIMARY KEY, data blob NOT NULL)')
const insert = db.query('INSERT INTO pages VALUES (?, ?)')
const bytes = htmlOf(10 * 1024)

const began = performance.now()
let commits = 0
while (performance.now() - began < Number(seconds) * 1000) {
  insert.run(crypto.randomUUID(), bytes)
  commits += 1
}
process.stdout.write(String((commits / (performance.now() - began)) * 1000))
db.close()
