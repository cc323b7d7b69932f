import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Server } from '../../../testing/s3-server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { createTemporaryFiles } from '../../temporary-files.ts'
import type { BackendUnderTest } from '../blobs.suite.ts'
import { s3Blobs } from './index.ts'

/** A new bucket of the object store. */
export async function startBackend(server: S3Server): Promise<BackendUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-s3-'))
  const blobs = s3Blobs({
    settings: await server.newBucket(),
    temporaryFiles: createTemporaryFiles(join(folder, 'tmp')),
    cacheFolder: join(folder, 'cache'),
    log: silentLog(),
  })
  return {
    blobs,
    unfinished: null,
    async close() {
      blobs.close()
      rmSync(folder, { recursive: true })
    },
  }
}
