/**
 * How often this disk and SQLite can make 10 KB durable, one commit each, with nothing around it.
 * Run: bin/bun bench/bare-commits.ts FILE SECONDS. Prints commits a second.
 */
import { Database } from 'bun:sqlite'
import { htmlOf } from './material.ts'

const [file = '', seconds = '1'] = process.argv.slice(2)
const db = new Database(file, { create: true })
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run('CREATE TABLE kept (id text PRIMARY KEY, data blob NOT NULL)')
const insert = db.query('INSERT INTO kept VALUES (?, ?)')
const bytes = htmlOf(10 * 1024)

const began = performance.now()
let commits = 0
while (performance.now() - began < Number(seconds) * 1000) {
  insert.run(crypto.randomUUID(), bytes)
  commits += 1
}
process.stdout.write(String((commits / (performance.now() - began)) * 1000))
db.close()
