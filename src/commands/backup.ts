import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandFailed, type Output, WrongUsage } from '../../cli/output.ts'
import {
  type Backup,
  type BackupResult,
  BadBackup,
  examine,
  type Finding,
  KEY_CHECK,
  openBackup,
  writeBackup,
} from '../features/backup/index.ts'
import { FILES_LEASE } from '../features/content/index.ts'
import { findWithoutContent } from '../features/pages/index.ts'
import { findWithoutContent as findVersions } from '../features/versions/index.ts'
import type { Config } from '../platform/config.ts'
import type { Leases } from '../platform/db/leases.ts'
import { listTables } from '../platform/db/table-copy.ts'
import { writeWhole } from '../platform/durable-files.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { makePrivate } from '../platform/private-folder.ts'
import { createSecrets, masterKey } from '../platform/secrets.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { backupDeps, keyFile } from './backup-source.ts'
import { openFiles } from './files.ts'
import { isEmpty, openDatabase, type Runtime } from './runtime.ts'
import { keyFits } from './start-check.ts'

/** Most sweeps of files are over by then. */
const FILES_WAIT_MS = 60_000

/** Writes a backup to a new file, beside a server that runs. The file appears once it is whole. */
export async function createBackup(
  { config, platform, leases }: Runtime,
  file: string,
  output: Output,
): Promise<void> {
  const path = resolve(file)
  if (existsSync(path)) throw new CommandFailed(`${path} is there already: name a new file.`)
  const result: BackupResult = { rows: 0, files: 0, damaged: [] }
  await withFiles(leases, () => writeWhole(path, writeBackup(backupDeps(config, platform), result)))
  const { rows, files, damaged } = result
  const { size } = await stat(path)
  output.say([
    `Wrote ${path}: ${rows} rows and ${files} files.`,
    config.secretKey === null
      ? 'It holds the key of the server and addresses of people: keep it as you keep a password.'
      : 'SECRET_KEY is not in it: keep it elsewhere, since the backup is of little use without it.',
  ])
  const written = { file: path, size_bytes: size, rows, files, damaged }
  if (damaged.length === 0) return output.result(written, [])
  const message = `${damaged.length} files are missing or damaged, and not in the backup.`
  throw new CommandFailed(`${message} handbill doctor names them.`, written)
}

/** Works while no other process deletes files. */
async function withFiles(leases: Leases, work: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + FILES_WAIT_MS; performance.now() < end; ) {
    if ((await leases.run(FILES_LEASE, work)) !== null) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new CommandFailed(
    'Another backup is being made, or unused files are being deleted: try again in a few minutes.',
  )
}

/** Restores a backup into an empty place: a new data folder, and a database without tables. */
export async function restoreBackup(config: Config, [file]: string[], output: Output) {
  if (file === undefined) throw new WrongUsage('FILE is missing.')
  const { dataDir } = config
  if (!isEmpty(dataDir)) {
    throw new CommandFailed(`${dataDir} is not empty: restore into an empty DATA_DIR.`)
  }
  const backup = await openBackup(resolve(file)).catch((err: Error) => {
    throw err instanceof BadBackup ? new CommandFailed(err.message) : err
  })
  try {
    const secretKey = keyOf(backup, config)
    makePrivate(dataDir)
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
      await backup.restore({ database, blobs: opened.blobs })
    } finally {
      opened.close()
      await database.close()
    }
  } catch (err) {
    // What is left would look like data. The folder itself may be a mount, which stays.
    const left = isEmpty(dataDir) ? [] : readdirSync(dataDir)
    for (const name of left) rmSync(join(dataDir, name), { recursive: true, force: true })
    throw err
  } finally {
    backup.close()
  }
  const { rows, files, header } = backup
  output.result({ data_dir: dataDir, rows, files, created_at: header.created_at }, [
    `Restored ${rows} rows and ${files} files of ${header.created_at} to ${dataDir}.`,
    'Start the server with handbill serve, and look at handbill doctor.',
  ])
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

/** Checks all that is stored, and says how to mend what is wrong. Fails where something is. */
export async function runDoctor({ app, platform }: Runtime, output: Output): Promise<void> {
  const { database, blobs } = platform
  const findings: Finding[] = []
  const steps = examine({
    database,
    blobs,
    async findWithoutContent(limit) {
      const [pages, versions] = await Promise.all([
        findWithoutContent(database.read, limit),
        findVersions(database.read, limit),
      ])
      return [...new Set([...pages, ...versions])]
    },
    keyFits: () => keyFits({ app, platform }),
  })
  for await (const finding of steps) findings.push(finding)
  const wrong = findings.filter(({ isOk }) => !isOk)
  const result = findings.map(({ isOk, ...rest }) => ({ ...rest, is_ok: isOk }))
  output.say(
    findings.flatMap(({ check, isOk, message, cure }) => [
      `${isOk ? 'ok   ' : 'WRONG'}  ${check.padEnd(8)}  ${message}`,
      ...(cure === null ? [] : [`                 ${cure}`]),
    ]),
  )
  if (wrong.length === 0) return output.result(result, [])
  throw new CommandFailed(
    `Something is wrong: ${wrong.map(({ check }) => check).join(', ')}.`,
    result,
  )
}
