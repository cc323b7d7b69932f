import { afterAll, beforeAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3Server, startS3 } from '../../../testing/s3-server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { createTemporaryFiles } from '../../temporary-files.ts'
import { describeBlobs } from '../blobs.suite.ts'
import { s3Blobs } from './index.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterAll(() => server.close())

describeBlobs(
  'an object store',
  async () => {
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
      moreThanOneList: 1001,
      async close() {
        blobs.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
  { leavesUnfinished: false },
)
