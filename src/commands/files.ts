import { join } from 'node:path'
import { CommandFailed } from '../../cli/output.ts'
import { diskBlobs } from '../platform/blobs/disk.ts'
import type { Blobs } from '../platform/blobs/index.ts'
import type { S3Settings } from '../platform/blobs/s3/client.ts'
import type { Config } from '../platform/config.ts'
import { isLoopback } from '../platform/config-variables.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'

/** The blob store of the settings. */
export interface Files {
  blobs: Blobs
  /**
   * Checks the blob store before the server starts. If it does not answer, that is only logged:
   * pages in the database can be served without it.
   *
   * @throws CommandFailed where the settings are wrong
   */
  assertUsable(): Promise<void>
  close(): void
}

/** Loads only the backend that is used: the other would slow the start. */
export async function openFiles(
  { s3, dataDir }: Config,
  parts: { temporaryFiles: TemporaryFiles; log: Log; metrics: Metrics },
): Promise<Files> {
  const { log } = parts
  if (s3 === null) {
    const blobs = diskBlobs(join(dataDir, 'blobs'))
    return { blobs, assertUsable: async () => {}, close: () => {} }
  }
  const { s3Blobs, wrongSetting } = await import('../platform/blobs/s3/index.ts')
  const cacheFolder = join(dataDir, 'cache')
  const blobs = s3Blobs({ settings: s3, cacheFolder, ...parts })
  async function assertUsable(): Promise<void> {
    warnOfPlainText(s3!, log)
    try {
      await blobs.probe()
    } catch (err) {
      const wrong = wrongSetting(err, s3!)
      if (wrong !== null) throw new CommandFailed(wrong)
      const { host } = new URL(s3!.endpoint)
      log.error('the object store fails', { host, bucket: s3!.bucket, err })
    }
  }
  return { blobs, assertUsable, close: blobs.close }
}

function warnOfPlainText({ endpoint }: S3Settings, log: Log): void {
  const { protocol, host, hostname } = new URL(endpoint)
  if (protocol === 'https:' || isLoopback(hostname)) return
  log.warn('files travel to the object store without encryption: S3_ENDPOINT is http', { host })
}
