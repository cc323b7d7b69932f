import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed } from '../../cli/output.ts'
import { type App, buildApp, type Platform } from '../app.ts'
import type { BackupDeps, BackupResult, BackupSchedule } from '../features/backup/index.ts'
import { recordBounce } from '../features/links/index.ts'
import { composeMail, createOutbox, type Outbox } from '../features/mail/index.ts'
import { createSettings, type Settings } from '../features/settings/index.ts'
import { createChecks } from '../platform/checks.ts'
import { createClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { createContentSpace, createSpaceReserve, withinSpace } from '../platform/content-space.ts'
import { makePrivate } from '../platform/data-folder.ts'
import type { Database } from '../platform/db/index.ts'
import { createLeases, type Leases } from '../platform/db/leases.ts'
import { migrate } from '../platform/db/migrate.ts'
import { createSlowQueries } from '../platform/db/raw.ts'
import { logProblem } from '../platform/db/sqlite-log.ts'
import type { LogNotDurable } from '../platform/db/sqlite-writes.ts'
import type { GuardedFetch } from '../platform/fetch/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { folderTransport, sweepFolder } from '../platform/mail/folder.ts'
import { chosenTransport, type Transport } from '../platform/mail/index.ts'
import { createSlotFiles, openCommandWrites } from '../platform/mapped-files.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { loadOnce } from '../platform/promises.ts'
import { createSecrets, masterKey } from '../platform/secrets.ts'
import { createTemporaryFiles, type TemporaryFiles } from '../platform/temporary-files.ts'
import { createThreads, type Threads } from '../platform/threads.ts'
import { backupDeps, scheduleBackups } from './backup-source.ts'
import { type Files, openFiles } from './files.ts'
import { copyBeforeMigrating } from './migration-copy.ts'
import { commandWritesFile, databaseFile, lockFile, restoreMark } from './places.ts'

/** The platform that the settings describe, and the features on it. */
export interface Runtime {
  config: Config
  platform: Platform
  app: App
  outbox: Outbox
  files: Files
  leases: Leases
  /** Null where the server makes none. */
  backups: BackupSchedule | null
  /** The data folder was missing or empty. */
  isNew: boolean
  /** What is wrong with the log of a SQLite database; null where all is well. */
  logProblem: string | null
  /** Names of the migrations that ran at this start. */
  migrated: string[]
  close(): Promise<void>
}

/** @param share what a command beside the server does with the database */
export async function openRuntime(
  config: Config,
  share: (database: Database) => Database = (database) => database,
): Promise<Runtime> {
  const { dataDir } = config
  const isNew = isEmpty(dataDir)
  makePrivate(dataDir)
  assertNotCutOff(dataDir)
  const log = createLog(config.log)
  const clock = createClock()
  const secrets = createSecrets(masterKey(config.secretKey, join(dataDir, 'secret.key')))
  const metrics = createMetrics()
  const logProblem = checkDatabaseLog(config)
  const readThread = createThreads({ maxThreads: 1 })
  const database = share(await openDatabase(config, { log, metrics, readThread }))
  await copyBeforeMigrating(database, { dataDir, log })
  const migrated = await migrate(database, secrets)
  const base = { database, secrets, clock, log }
  const settings = await createSettings({ ...base, environment: config })
  const mails = join(dataDir, 'outbox')
  const outbox = createOutbox({
    ...{ ...base, recordBounce },
    reachOf: (...mail) => app.people.reachOf(...mail),
    transport: await mailTransport(mails, settings, log),
    sweepFiles: (beforeMs) => sweepFolder(mails, beforeMs),
  })
  const allFiles = createTemporaryFiles(join(dataDir, 'tmp'))
  const space = createContentSpace(dataDir)
  const temporaryFiles = withinSpace(allFiles, space)
  // What is made of stored content for a view may use the whole disk.
  const files = await openFiles(config, { temporaryFiles: allFiles, log, metrics })
  const { blobs } = files
  const sendsMails = () => settings.current().smtpUrl !== null
  const leases = createLeases(database)
  const parts = { database, blobs, clock, secrets, leases, log }
  const backups = config.backup && (await scheduleBackups(config, config.backup, parts))
  const platform: Platform = {
    database,
    blobs,
    checks: createChecks({ database, blobs, dataDir, sendsMails, backup: backups?.state }),
    slotFiles: createSlotFiles(join(dataDir, 'views')),
    temporaryFiles,
    space,
    baseUrl: config.baseUrl,
    host: new URL(config.baseUrl).host,
    threads: createThreads(),
    settings,
    leases,
    writeBackup: (result) => backupChunks(backupDeps(config, parts), result),
    clock,
    secrets,
    fetch: guardedFetch(config, temporaryFiles),
    log,
    metrics,
    sendMail: (tx, mail, options) => outbox.put(tx, composeMail(mail, settings.site), options),
    config,
  }
  const app = await buildApp(platform)
  async function close(): Promise<void> {
    await app.views.close()
    await Promise.all([platform.threads.close(), readThread.close()])
    files.close()
    await database.close()
  }
  const state = { isNew, logProblem, migrated }
  return { config, platform, app, outbox, files, leases, backups, ...state, close }
}

/** Loads what writes it with the first backup. */
async function* backupChunks(deps: BackupDeps, result: BackupResult) {
  const { writeBackup } = await import('../features/backup/index.ts')
  yield* writeBackup(deps, result)
}

/** Loaded when somebody names an address: few servers fetch, and no view does. */
function guardedFetch(
  { fetchAllowedHosts: allowedHosts, baseUrl }: Config,
  temporaryFiles: TemporaryFiles,
): GuardedFetch {
  const load = loadOnce(async () => {
    const { createGuardedFetch } = await import('../platform/fetch/index.ts')
    const ownHosts = [new URL(baseUrl).hostname]
    return createGuardedFetch({ allowedHosts, ownHosts, temporaryFiles })
  })
  return {
    get: async (url, options) => (await load()).get(url, options),
    post: async (url, message) => (await load()).post(url, message),
    mayPost: async (url) => (await load()).mayPost(url),
  }
}

/** Sends through the mail server that is set at that time. */
function mailTransport(folder: string, settings: Settings, log: Log): Promise<Transport> {
  return chosenTransport(settings.current, async ({ smtpUrl, mailFrom }) => {
    if (smtpUrl === null) return folderTransport(folder, mailFrom, log)
    const { smtpTransport } = await import('../platform/mail/smtp.ts')
    return smtpTransport(smtpUrl, mailFrom)
  })
}

/** @throws CommandFailed for what a killed restore has left: it would look like a new server */
export function assertNotCutOff(dataDir: string): void {
  if (!existsSync(restoreMark(dataDir))) return
  throw new CommandFailed(
    `A restore into ${dataDir} was cut off: empty it, its database and bucket, and restore again.`,
  )
}

export function isEmpty(folder: string): boolean {
  return entriesIn(folder).length === 0
}

/** Without the folder that each ext4 disk has at its root. */
export function entriesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'lost+found') : []
}

/** Loads the one engine that is used: the other would only slow the start. */
export async function openDatabase(
  { databaseUrl, dataDir, slowQueryMs }: Config,
  { log, metrics, readThread }: { log: Log; metrics: Metrics; readThread?: Threads },
): Promise<Database> {
  const times = createSlowQueries({ slowMs: slowQueryMs, log, metrics })
  if (databaseUrl === null) {
    const { openSqlite } = await import('../platform/db/sqlite.ts')
    const reserve = createSpaceReserve(join(dataDir, 'reserve'))
    const onDiskFailure = endOnDiskFailure(log)
    const commandWrites = openCommandWrites(commandWritesFile(dataDir))
    const watching = { times, metrics, onDiskFailure }
    return openSqlite(databaseFile(dataDir), { reserve, commandWrites, readThread, ...watching })
  }
  const { openPostgres } = await import('../platform/db/postgres.ts')
  return openPostgres(databaseUrl, {
    onDown: (err) => log.error('the database is down', { err }),
    onUp: () => log.info('the database is up again'),
    times,
    metrics,
  })
}

/**
 * Looks at the log beside a SQLite database before it is opened.
 *
 * @returns what is wrong with it; null where all is well
 * @throws CommandFailed for the log of another database, which opening would write into this one
 */
function checkDatabaseLog({ databaseUrl, dataDir }: Config): string | null {
  if (databaseUrl !== null) return null
  const file = databaseFile(dataDir)
  const problem = logProblem(file)
  if (problem === 'foreign') {
    throw new CommandFailed(
      `${file}-wal is the log of another database, and opening it would damage this one: put the ` +
        'log there that lay beside it. Where its server was stopped in order there was none: ' +
        'move this one away then. handbill backup create copies a server that runs.',
    )
  }
  if (problem === 'damaged') {
    return 'the log of the database (handbill.db-wal) cannot be read, so what it held is missing'
  }
  // A server that was killed here leaves the mark, and a command after it empties the log.
  if (problem === null || existsSync(lockFile(dataDir))) return null
  return (
    'the database is a copy of the file of a running server, without its log (handbill.db-wal): ' +
    'what was written last is missing, and parts may be damaged'
  )
}

/**
 * Ends the process where the disk did not store what was committed: nobody gets an answer any more
 * that might not be true. The next start keeps what the log has by then (`sqlite-rewrite.ts`).
 */
export function endOnDiskFailure(log: Log): (err: LogNotDurable) => never {
  return (err) => {
    log.error('the disk failed to store the log of the database, so the server ends: look at it', {
      err,
    })
    process.exit(1)
  }
}

/**
 * The database of a command, which may run beside a server. On PostgreSQL its notifications reach
 * every node; on SQLite the server learns that something was written, and reads its pages again.
 */
export function besideServer({ databaseUrl, dataDir }: Config) {
  return (database: Database): Database => {
    if (databaseUrl !== null) return database
    const commandWrites = openCommandWrites(commandWritesFile(dataDir))
    return {
      ...database,
      async write(work, durability) {
        const result = await database.write(work, durability)
        commandWrites.mark()
        return result
      },
    }
  }
}
