import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupResult, examine, writeBackup } from '../features/backup/index.ts'
import { findWithoutContent } from '../features/pages/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { TestApp } from './app.ts'
import { htmlOf } from './material.ts'

/** Writes a backup into the folder of the app, which goes with it. */
export async function backUp(app: TestApp): Promise<{ path: string; result: BackupResult }> {
  const path = join(app.folder, `backup-${crypto.randomUUID()}.zip`)
  const { database, blobs, clock, secrets } = app
  const result: BackupResult = { rows: 0, files: 0, damaged: [] }
  const fixed = { secretKey: 'the key\n', version: '1', baseUrl: 'https://pages.example.com' }
  const chunks = await Array.fromAsync(
    writeBackup({ database, blobs, clock, secrets, ...fixed }, result),
  )
  writeFileSync(path, Buffer.concat(chunks))
  return { path, result }
}

export const checks = (database: Database) => ({
  logProblem: null,
  findWithoutContent: (limit: number) => findWithoutContent(database.read, [limit]),
  keyFits: async () => true,
})

export function doctor(database: Database, blobs: TestApp['blobs']) {
  return Array.fromAsync(examine({ database, blobs, ...checks(database) }))
}

/** Pages of every kind, with files in rows and in the blob store, comments and views. */
export async function fillApp(app: TestApp) {
  const owner = await app.owner()
  const page = await owner.publish('<p>one <form data-service><input name="a"></form>', {
    ...{ allow_comments: true, access: 'password', password: 'four short words' },
  })
  await owner.edit(page.id, 'one', 'two')
  await owner.publish(htmlOf(300_000))
  await owner.publish({
    files: [{ path: 'index.html', html: '<p>deck' }],
    assets: [{ path: 'big.txt', data_base64: Buffer.alloc(100_000, 'b').toString('base64') }],
  })
  const thread = await owner.ask<{ id: string }>('POST', `/pages/${page.id}/comments`, {
    body: 'é',
  })
  await owner.ask('POST', `/pages/${page.id}/comments`, { body: 'ok', parent_id: thread.id })
  const open = await owner.publish('<p>open', { max_views: 50 })
  for (let n = 0; n < 3; n++) await app.open(`/p/${open.slug}`)
  return owner
}
