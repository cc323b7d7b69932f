import { Database as Handle } from 'bun:sqlite'
import { randomInt } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isStorageFull } from '../outages.ts'

/**
 * What is wrong with the write-ahead log beside a database: it belongs to another one, its header
 * is damaged so that SQLite would ignore it, or it was left behind when the database was copied.
 */
type LogProblem = 'foreign' | 'damaged' | 'missing'

const DATABASE_HEADER = { bytes: 100, pageSize: 16, userVersion: 60, applicationId: 68 }
const LOG_HEADER = { bytes: 32, pageSize: 8, salts: 16, sum: 24 }
const FRAME_HEADER = { bytes: 24, salts: 8 }
const SALTS_BYTES = 8
const MAGIC = 0x377f0682
/** A bit of `user_version`, which is in the file itself from the start of a server to its end. */
const SERVED = 2

/**
 * Looks at a database and its log before SQLite opens them: SQLite takes a log of another database
 * for its own, and writes its pages into the database.
 *
 * @returns null also where there is no database
 */
export function logProblem(path: string): LogProblem | null {
  const header = withFile(path, (file) => readAt(file, 0, DATABASE_HEADER.bytes))
  if (header == null) return null
  const wasServed = (header.readUInt32BE(DATABASE_HEADER.userVersion) & SERVED) !== 0
  const id = header.readUInt32BE(DATABASE_HEADER.applicationId)
  const problem = withFile(`${path}-wal`, (log) => problemIn(log, header, id))
  if (problem === undefined) return wasServed ? 'missing' : null
  return problem
}

/** @returns undefined for an empty log, which is as good as none */
function problemIn(log: number, database: Buffer, id: number): LogProblem | null | undefined {
  if (fstatSync(log).size === 0) return undefined
  const header = readAt(log, 0, LOG_HEADER.bytes)
  if (header === null || !isSummed(header)) return 'damaged'
  const pageSize = database.readUInt16BE(DATABASE_HEADER.pageSize)
  // 1 stands for 65536.
  const pageBytes = pageSize === 1 ? 65_536 : pageSize
  if (header.readUInt32BE(LOG_HEADER.pageSize) !== pageBytes) return 'foreign'
  const ids = idsIn(log, header, pageBytes)
  // Frames of before the database got its id may come first.
  const isForeign = id !== 0 && ids.length > 0 && ids.at(-1) !== 0 && !ids.includes(id)
  return isForeign ? 'foreign' : null
}

/** The database's id in each first page that the log has. */
function idsIn(log: number, header: Buffer, pageBytes: number): number[] {
  const ids: number[] = []
  const salts = header.subarray(LOG_HEADER.salts, LOG_HEADER.salts + SALTS_BYTES)
  const frameBytes = FRAME_HEADER.bytes + pageBytes
  for (let at = LOG_HEADER.bytes; ; at += frameBytes) {
    const frame = readAt(log, at, FRAME_HEADER.bytes)
    // What an earlier log has left behind these frames has other salts.
    if (frame?.subarray(FRAME_HEADER.salts, FRAME_HEADER.salts + SALTS_BYTES).compare(salts) !== 0)
      return ids
    if (frame.readUInt32BE(0) !== 1) continue
    const id = readAt(log, at + FRAME_HEADER.bytes + DATABASE_HEADER.applicationId, 4)
    if (id !== null) ids.push(id.readUInt32BE(0))
  }
}

/** Whether a header has the checksum of its first bytes. Its last bit says in which byte order. */
function isSummed(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if (magic !== MAGIC && magic !== MAGIC + 1) return false
  const read = (at: number) => (magic === MAGIC ? header.readUInt32LE(at) : header.readUInt32BE(at))
  let [first, second] = [0, 0]
  for (let at = 0; at < LOG_HEADER.sum; at += 8) {
    first = (first + read(at) + second) >>> 0
    second = (second + read(at + 4) + first) >>> 0
  }
  const sums = [header.readUInt32BE(LOG_HEADER.sum), header.readUInt32BE(LOG_HEADER.sum + 4)]
  return sums[0] === first && sums[1] === second
}

/** @returns undefined where the file is not there */
function withFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

/** @returns null where the file ends before */
function readAt(file: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, position) === length ? bytes : null
}

/**
 * Marks the database file as in use by a server, with the id of the database, so that a copy of the
 * file without its log, or with another one, can be detected. On a full disk it does nothing.
 */
export function markServed(path: string): void {
  changeHeader(path, ({ id, version }) => ({
    id: id === 0 ? randomInt(1, 2 ** 31) : id,
    version: version | SERVED,
  }))
}

/** Takes the mark back: all that the log had is in the file. */
export function markStopped(path: string): void {
  changeHeader(path, ({ id, version }) => ({ id, version: version & ~SERVED }))
}

interface Marks {
  id: number
  version: number
}

function changeHeader(path: string, change: (before: Marks) => Marks): void {
  using handle = new Handle(path, { readwrite: true })
  const read = (pragma: string) => {
    const row = handle.query(`PRAGMA ${pragma}`).get() as Record<string, number>
    return row[pragma]!
  }
  try {
    handle.run('PRAGMA busy_timeout = 5000')
    handle
      .transaction(() => {
        const before = { id: read('application_id'), version: read('user_version') }
        const { id, version } = change(before)
        handle.run(`PRAGMA application_id = ${id}`)
        handle.run(`PRAGMA user_version = ${version}`)
      })
      .immediate()
    handle.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (err) {
    if (!isStorageFull(err)) throw err
  }
}
