import { afterAll, beforeAll } from 'bun:test'
import { type S3Server, startS3 } from '../../../testing/s3-server.ts'
import { describeBlobs } from '../blobs.suite.ts'
import { startBackend } from './s3.suite.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterAll(() => server.close())

describeBlobs('an object store', () => startBackend(server), { leavesUnfinished: false })
