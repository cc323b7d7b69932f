import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeBlobs, describeManyBlobs } from './blobs.suite.ts'
import { diskBlobs } from './disk.ts'
import { newBlobKey } from './index.ts'

describeBlobs('disk', start)
describeManyBlobs('disk', start, 100)

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-blobs-'))
  const unfinished = join(folder, 'tmp')
  return {
    blobs: diskBlobs(folder),
    unfinished: {
      leave: async () => writeFileSync(join(unfinished, newBlobKey()), 'the first ha'),
      count: async () => readdirSync(unfinished).length,
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}
