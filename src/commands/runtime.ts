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
export interface House {
  config: Config
  app: App
  database: Database
  outbox: Outbox
  secrets: Secrets
  clock: ReturnType<typeof createClock>
  log: Log
  /** Its data folder was not there, or empty. */
  is_new: boolean
  /** Names of the migrations that ran just now. */
  migrated: string[]
  close(): Promise<void>
}

export async function openHouse(config: Config): Promise<House> {
  const { data_dir, base_url } = config
  const is_new = isEmpty(data_dir)
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const log = createLog(config.log)
  const clock = createClock()
  const secrets = createSecrets(masterKey(config.secret_key, join(data_dir, 'secret.key')))
  const database = await openDatabase(config)
  const migrated = await migrate(database)
  const fetch = createGuardedFetch({
    allowed_hosts: config.fetch_allowed_hosts,
    own_hosts: [new URL(base_url).hostname],
  })
  const blobs = diskBlobs(join(data_dir, 'blobs'))
  const transport =
    config.smtp_url === null
      ? folderTransport(join(data_dir, 'outbox'), config.mail_from, log)
      : smtpTransport(config.smtp_url, config.mail_from)
  const outbox = createOutbox({ database, clock, transport, log })
  const app = await buildApp({
    database,
    blobs,
    clock,
    secrets,
    fetch,
    log,
    base_url,
    rate_limits: config.rate_limits,
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
    is_new,
    migrated,
    close: () => database.close(),
  }
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0
}

/** Each engine is loaded only where it is used: the other one costs nothing at the start. */
async function openDatabase({ database_url, data_dir }: Config): Promise<Database> {
  if (database_url === null) {
    const { openSqlite } = await import('../platform/db/sqlite.ts')
    return openSqlite(join(data_dir, 'handbill.db'))
  }
  const { openPostgres } = await import('../platform/db/postgres.ts')
  return openPostgres(database_url)
}
