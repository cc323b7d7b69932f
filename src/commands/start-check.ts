import { CommandFailed } from '../../cli/output.ts'
import { knownBlobs } from '../features/content/index.ts'
import { findWithPassword } from '../features/pages/index.ts'
import { createBallots, findVoted } from '../features/polls/index.ts'
import { findWebhook, secretOf } from '../features/webhooks/index.ts'
import { isDamage, quickProblem } from '../platform/db/integrity.ts'
import { databaseFile } from './places.ts'
import type { Runtime } from './runtime.ts'

/** How many files are looked for, among how many small and large ones. */
const SOME_FILES = 20
const SOME_BLOBS = 1000

/**
 * Checks the data quickly before the server answers. Damage that serving would make worse ends the
 * start; everything else is logged, since most pages can be served.
 *
 * @throws CommandFailed for a database that is damaged
 */
export async function checkAtStart(runtime: Runtime): Promise<void> {
  const { config, platform } = runtime
  const { database, log } = platform
  if (database.engine === 'sqlite') {
    const problem = await quickProblem(database, databaseFile(config.dataDir))
    if (problem !== null) throw damaged(problem)
  }
  if (runtime.logProblem !== null) {
    log.error(`${runtime.logProblem}: handbill doctor says more, and what to do`)
  }
  if (!(await keyFits(runtime))) {
    log.error(
      'the key is not the one that these data were protected with: set SECRET_KEY to that key, ' +
        'or put its secret.key back into DATA_DIR; handbill doctor says more',
    )
  }
  // An object store was asked for its bucket before.
  if (config.s3 === null) await lookForFiles(runtime)
}

async function lookForFiles({ platform }: Runtime): Promise<void> {
  const { database, blobs, log } = platform
  let [count, checks, missing] = [0, 0, 0]
  for await (const { storage_key: key } of knownBlobs(database.read)) {
    count += 1
    if (count > SOME_BLOBS || checks === SOME_FILES) break
    if (key === null) continue
    checks += 1
    if (!(await blobs.has(key))) missing += 1
  }
  if (missing === 0) return
  log.error(
    'files of pages are missing from DATA_DIR/blobs, which all nodes must share: handbill doctor ' +
      'names them, and handbill backup restore FILE brings a backup back, into an empty folder',
    { looked_for: checks, missing },
  )
}

/** Whether what the key protects can be opened. */
export async function keyFits({
  app,
  platform,
}: Pick<Runtime, 'app' | 'platform'>): Promise<boolean> {
  const { read } = platform.database
  const page = await findWithPassword(read, [])
  const poll = await findVoted(read, [])
  const webhook = await findWebhook(read, [])
  try {
    if (page !== undefined && app.pages.passwordOf(page) === null) return false
    if (poll !== undefined) {
      await createBallots(platform.secrets).listOptions(read, poll.page_id)
    }
    return webhook === undefined || secretOf(platform, webhook) !== null
  } catch {
    return false
  }
}

/** Adds to an error of SQLite at the start what to do. For `catch`. */
export function explainDamage(err: unknown): never {
  throw isDamage(err) ? damaged((err as Error).message) : err
}

function damaged(problem: string): CommandFailed {
  return new CommandFailed(
    `The database is damaged (${problem}), and serving it could make it worse: keep a copy of ` +
      'DATA_DIR, see what handbill doctor says, and restore the newest backup into an empty ' +
      'folder: handbill backup restore FILE.',
  )
}
