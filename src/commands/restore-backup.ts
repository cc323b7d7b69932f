import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { type Backup, BadBackup, KEY_CHECK, openBackup } from '../features/backup/index.ts'
import type { Config } from '../platform/config.ts'
import { listTables } from '../platform/db/table-copy.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { makePrivate } from '../platform/private-folder.ts'
import { createSecrets, masterKey } from '../platform/secrets.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { keyFile } from './backup-source.ts'
import { openFiles } from './files.ts'
import { type FoundBackup, findBackup } from './find-backup.ts'
import { isEmpty, openDatabase } from './runtime.ts'

/** Restores a backup into an empty place: a new data folder, and a database without tables. */
export async function restoreBackup(config: Config, [named]: string[], output: Output) {
  const { dataDir } = config
  if (!isEmpty(dataDir)) {
    throw new CommandFailed(`${dataDir} is not empty: restore into an empty DATA_DIR.`)
  }
  const backup = await findBackup(config, named!)
  const wasThere = existsSync(dataDir)
  const { rows, files, header } = await restore(config, backup).catch((err: unknown) => {
    removeRest(dataDir, wasThere)
    throw err instanceof BadBackup ? new CommandFailed(`${backup.label}: ${err.message}`) : err
  })
  const { created_at } = header
  const result = { data_dir: dataDir, from: backup.label, rows, files, created_at }
  output.result(result, [
    `Restored ${rows} rows and ${files} files of ${created_at} from ${backup.label} to ${dataDir}.`,
    'Start the server with handbill serve, and look at handbill doctor.',
  ])
}

async function restore(config: Config, { fetch }: FoundBackup): Promise<Backup> {
  makePrivate(config.dataDir)
  const backup = await openBackup(await fetch(config.dataDir))
  try {
    await fill(config, backup)
    return backup
  } finally {
    backup.close()
  }
}

/**
 * Deletes the rest, which would look like data. A folder that existed before may be a mount, and
 * stays.
 */
function removeRest(folder: string, isKept: boolean): void {
  const left = isKept ? readdirSync(folder).map((name) => join(folder, name)) : [folder]
  for (const path of left) rmSync(path, { recursive: true, force: true })
}

/** Every byte of the backup was checked before. */
async function fill(config: Config, backup: Backup): Promise<void> {
  const { dataDir } = config
  const secretKey = keyOf(backup, config)
  const log = createLog(config.log)
  const metrics = createMetrics()
  const database = await openDatabase(config, { log, metrics })
  const temporaryFiles = createTemporaryFiles(join(dataDir, 'tmp'))
  const opened = await openFiles(config, { temporaryFiles, log, metrics })
  try {
    if ((await listTables(database.read, database.engine)).length > 0) {
      throw new CommandFailed('The database has tables: restore into an empty one.')
    }
    if (secretKey !== null) {
      writeFileSync(keyFile(config), `${secretKey}\n`, { mode: 0o600, flush: true })
    }
    const secrets = createSecrets(masterKey(config.secretKey ?? secretKey, ''))
    await backup.restore({ database, blobs: opened.blobs, secrets })
  } finally {
    opened.close()
    await database.close()
  }
}

/** @returns the key to write to DATA_DIR; null where it is a setting */
function keyOf({ header, secretKey }: Backup, config: Config): string | null {
  const fits = (key: string) => {
    const secrets = createSecrets(masterKey(key, ''))
    return secrets.verify(header.key_check, ...KEY_CHECK)
  }
  if (config.secretKey !== null) {
    if (fits(config.secretKey)) return null
    throw new CommandFailed('SECRET_KEY is not the key of this backup: set that, or unset it.')
  }
  if (secretKey !== null && fits(secretKey)) return secretKey
  throw new CommandFailed('The backup is without its key: set SECRET_KEY to that of its server.')
}
