import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type App, buildApp } from '../app.ts'
import { composeMail, createOutbox, type Outbox } from '../features/mail/index.ts'
import { diskBlobs } from '../platform/blobs/disk.ts'
import { createClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/index.ts'
import { migrate } from '../platform/db/migrate.ts'
import { createGuardedFetch } from '../platform/fetch/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { folderTransport } from '../platform/mail/folder.ts'
import { smtpTransport } from '../platform/mail/smtp.ts'
import { createSecrets, masterKey, type Secrets } from '../platform/secrets.ts'

/** The machines on this host's disk or servers, and the rooms built on them. */
export interface Runtime {
  config: Config
  app: App
  database: Database
  outbox: Outbox
  secrets: Secrets
  clock: ReturnType<typeof createClock>
  log: Log
  /** Its data folder was not there, or empty. */
  isNew: boolean
  /** Names of the migrations that ran just now. */
  migrated: string[]
  close(): Promise<void>
}

export async function openRuntime(config: Config): Promise<Runtime> {
  const { dataDir, baseUrl } = config
  const isNew = isEmpty(dataDir)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const log = createLog(config.log)
  const clock = createClock()
  const secrets = createSecrets(masterKey(config.secretKey, join(dataDir, 'secret.key')))
  const database = await openDatabase(config)
  const migrated = await migrate(database)
  const fetch = createGuardedFetch({
    allowedHosts: config.fetchAllowedHosts,
    ownHosts: [new URL(baseUrl).hostname],
  })
  const blobs = diskBlobs(join(dataDir, 'blobs'))
  const transport =
    config.smtpUrl === null
      ? folderTransport(join(dataDir, 'outbox'), config.mailFrom, log)
      : smtpTransport(config.smtpUrl, config.mailFrom)
  const outbox = createOutbox({ database, clock, transport, log })
  const app = await buildApp({
    database,
    blobs,
    clock,
    secrets,
    fetch,
    log,
    baseUrl,
    rateLimits: config.rateLimits,
    sendMail: (tx, words, options) => outbox.put(tx, composeMail(words), options),
  })
  return {
    config,
    app,
    database,
    outbox,
    secrets,
    clock,
    log,
    isNew,
    migrated,
    close: () => database.close(),
  }
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

/** Each engine is loaded only where it is used: the other one costs nothing at the start. */
async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Database> {
  if (databaseUrl === null) {
    const { openSqlite } = await import('../platform/db/sqlite.ts')
    return openSqlite(join(dataDir, 'handbill.db'))
  }
  const { openPostgres } = await import('../platform/db/postgres.ts')
  return openPostgres(databaseUrl)
}
