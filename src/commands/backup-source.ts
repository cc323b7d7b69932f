import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { BackupDeps } from '../features/backup/index.ts'
import type { Config } from '../platform/config.ts'

/** The sources of a backup. */
export type BackupSource = Pick<BackupDeps, 'database' | 'blobs' | 'clock' | 'secrets'>

export function backupDeps(
  config: Config,
  { database, blobs, clock, secrets }: BackupSource,
): BackupDeps {
  const { baseUrl } = config
  const secretKey = config.secretKey === null ? readFileSync(keyFile(config), 'utf8') : null
  return { database, blobs, clock, secrets, secretKey, version: packageJson.version, baseUrl }
}

export function keyFile({ dataDir }: Config): string {
  return join(dataDir, 'secret.key')
}
