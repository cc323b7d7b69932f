import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import { backupName } from '../../platform/backup-store/index.ts'
import { withTimeouts } from '../../platform/read-timeouts.ts'
import type { Services } from '../../platform/services.ts'
import { FILES_LEASE } from '../content/index.ts'
import * as contract from './contract.ts'
import type { BackupResult } from './create.ts'

/** How long a browser may take nothing, and all of it: no file is deleted meanwhile. */
const TIMEOUTS = { idleTimeoutMs: 30_000, totalTimeoutMs: 6 * 60 * 60_000 }

interface BackupOperationDeps extends Pick<Services, 'leases' | 'clock' | 'log'> {
  /** Writes a backup while it is read. */
  writeBackup(result: BackupResult): AsyncIterable<Uint8Array>
}

export function backupOperations(deps: BackupOperationDeps) {
  const { leases, clock, log } = deps

  /** Takes the lease of files until `release` is called. */
  async function takeFiles(): Promise<{ signal: AbortSignal; release(): void }> {
    const start = Promise.withResolvers<AbortSignal | null>()
    const end = Promise.withResolvers<void>()
    const work = async (signal: AbortSignal) => {
      start.resolve(signal)
      await end.promise
    }
    leases.run(FILES_LEASE, work).then(() => start.resolve(null), start.reject)
    const signal = await start.promise
    if (signal !== null) return { signal, release: end.resolve }
    throw refuse.conflict(
      'backup_running',
      'Another backup is being made, or unused files are being deleted. Try again in a minute.',
      { retry_after_s: 60 },
    )
  }

  /** Ends in an error where another process may delete files. */
  async function* checked(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const result: BackupResult = { rows: 0, files: 0, damaged: [] }
    for await (const chunk of deps.writeBackup(result)) {
      signal.throwIfAborted()
      yield chunk
    }
    const { rows, files, damaged } = result
    log.info('a backup was downloaded', { rows, files, damaged: damaged.length })
  }

  return operationsOf(contract, {
    downloadBackup: async () => {
      const { signal, release } = await takeFiles()
      return new Download({
        filename: backupName(clock.ms()),
        mime: 'application/zip',
        chunks: withTimeouts(checked(signal), { ...TIMEOUTS, release }),
      })
    },
  })
}
