import { reasonOf } from '../../platform/backup-store/index.ts'
import { BlobsUnavailable, WrongBytes } from '../../platform/blobs/index.ts'
import { integrityProblems } from '../../platform/db/integrity.ts'
import { listTables, readRows } from '../../platform/db/table-copy.ts'
import { sha256, sha256Of } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { findBlob, findMissingBlobs, knownBlobs } from '../content/index.ts'
import { findMiscounted } from '../views/index.ts'

export interface DoctorDeps extends Pick<Services, 'database' | 'blobs'> {
  /** The error in the log of the database before it was opened; null without one. */
  logProblem: string | null
  /** Ids of pages that have no content, or a version without it. */
  findWithoutContent(limit: number): Promise<string[]>
  /** Whether the key opens the sealed data. */
  keyFits(): Promise<boolean>
  /** Lists the scheduled backups; absent where the server makes none. */
  listBackups?(): Promise<unknown>
}

export interface Finding {
  check: 'database' | 'rows' | 'files' | 'pages' | 'counts' | 'key' | 'backups'
  isOk: boolean
  message: string
  /** What to do. Null without a problem. */
  cure: string | null
}

/** How many ids a message names. */
const NAMED = 5
const RESTORE = 'Restore the newest backup into an empty folder: handbill backup restore FILE.'

/** Checks all stored data, and changes nothing. The server may be running. */
export async function* examine(deps: DoctorDeps): AsyncGenerator<Finding> {
  const db = deps.database.read
  const problems = await integrityProblems(deps.database)
  if (deps.logProblem !== null) problems.unshift(deps.logProblem)
  yield* findings('database', problems, {
    fine: 'The database is whole.',
    cure: RESTORE,
  })
  yield await readAllRows(deps)
  yield* findings('pages', await deps.findWithoutContent(NAMED + 1), {
    fine: 'Every page and version has its content.',
    wrong: 'The content of these pages is missing',
    cure: RESTORE,
  })
  yield* findings('files', await damagedFiles(deps), {
    fine: 'Every file is there, with the bytes of its SHA-256.',
    wrong: 'These files are missing or damaged',
    cure: `${RESTORE} Several nodes must share DATA_DIR/blobs, or have S3_*.`,
  })
  yield* findings('counts', await findMiscounted(db, NAMED + 1), {
    fine: 'The views of every page are the sum of its hours.',
    wrong: 'The views of these pages are not the sum of their hours',
    cure: 'Limits go by the number of the page. Tell the developers how it came to this.',
  })
  const otherKey = 'The key is not the one that these data were protected with'
  yield* findings('key', (await deps.keyFits()) ? [] : [otherKey], {
    fine: 'The key opens what it protects.',
    cure: 'Set SECRET_KEY to that key, or put its secret.key back into DATA_DIR.',
  })
  if (deps.listBackups === undefined) return
  const failure = await deps.listBackups().then(
    () => [],
    (err: Error) => [reasonOf(err)],
  )
  yield* findings('backups', failure, {
    fine: 'The place of the scheduled backups can be read.',
    cure: 'No backups are made meanwhile. Mend the place, or set BACKUP_URL to another.',
  })
}

function* findings(
  check: Finding['check'],
  problems: string[],
  texts: { fine: string; wrong?: string; cure: string },
): Generator<Finding> {
  if (problems.length === 0) {
    yield { check, isOk: true, message: texts.fine, cure: null }
    return
  }
  const more = problems.length > NAMED ? ', and more' : ''
  const names = problems.slice(0, NAMED).join(', ') + more
  const message = texts.wrong === undefined ? `${names}.` : `${texts.wrong}: ${names}.`
  yield { check, isOk: false, message, cure: texts.cure }
}

/** A damaged part of a table is found when its rows are read. */
async function readAllRows({ database }: DoctorDeps): Promise<Finding> {
  let [tables, rows] = [0, 0]
  try {
    for (const table of await listTables(database.read, database.engine)) {
      for await (const batch of readRows(database.read, table)) rows += batch.length
      tables += 1
    }
  } catch (err) {
    const message = `A table cannot be read: ${(err as Error).message}.`
    return { check: 'rows', isOk: false, message, cure: RESTORE }
  }
  const message = `${rows} rows of ${tables} tables can be read.`
  return { check: 'rows', isOk: true, message, cure: null }
}

/** @returns hashes */
async function damagedFiles(deps: DoctorDeps): Promise<string[]> {
  const damaged = await findMissingBlobs(deps.database.read, [NAMED + 1])
  for await (const { hash } of knownBlobs(deps.database.read)) {
    if (damaged.length > NAMED) break
    if (!(await isWhole(deps, hash))) damaged.push(hash)
  }
  return damaged
}

async function isWhole({ database, blobs }: DoctorDeps, hash: string): Promise<boolean> {
  const blob = await findBlob(database.read, [hash])
  // It was deleted since it was listed.
  if (blob === undefined) return true
  const { data, storage_key: key, size_bytes: sizeBytes } = blob
  if (data !== null) return sha256(data) === hash
  try {
    const body = await blobs.open({ key: key!, hash, sizeBytes }, { start: 0, end: sizeBytes })
    return (await sha256Of(body.stream())) === hash
  } catch (err) {
    // An object store that is down says nothing about its files.
    if (err instanceof BlobsUnavailable && !(err instanceof WrongBytes)) throw err
    return (await findBlob(database.read, [hash])) === undefined
  }
}
