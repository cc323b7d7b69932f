import { expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../platform/config.ts'
import { createLeases } from '../platform/db/leases.ts'
import { sha256 } from '../platform/ids.ts'
import { ENGINES, HOUR_MS, testApp } from '../testing/app.ts'
import { storedKeys } from '../testing/dump.ts'
import { htmlOf } from '../testing/material.ts'
import { openRuntime } from './runtime.ts'
import { createFileSweep } from './work.ts'

const LARGE = 100_000

for (const engine of ENGINES) {
  it(`no file is swept on ${engine} after the clock was set forward, and all are later`, async () => {
    await using app = await testApp(engine)
    const owner = await app.owner()
    const { id } = await owner.publish(htmlOf(LARGE))
    await owner.call('DELETE', `/pages/${id}`)
    // As of a request that is under way.
    const upload = 'stored and not used yet'
    await app.blobs.put('f'.repeat(32), Buffer.from(upload), () => sha256(upload))
    let isForward = true
    const sweepFiles = createFileSweep({
      ...{ sweeper: app.sweeper, leases: createLeases(app.database), log: app.log },
      wasSetForward: () => isForward,
    })
    app.advance(10 * HOUR_MS)
    await sweepFiles()
    expect(await storedKeys(app)).toHaveLength(2)
    isForward = false
    await sweepFiles()
    expect(await storedKeys(app)).toEqual([])
  })
}

it('mails in files are deleted after a month, also where a mail server was set since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-mails-'))
  const env = { DATA_DIR: join(folder, 'data'), SMTP_URL: 'smtp://127.0.0.1:1' }
  const { outbox, close } = await openRuntime(readConfig(env))
  // No mail was ever written to a file here.
  await outbox.sweep()
  const mails = join(env.DATA_DIR, 'outbox')
  mkdirSync(mails)
  for (const name of ['mail_old.eml', 'mail_new.eml']) writeFileSync(join(mails, name), 'x')
  utimesSync(join(mails, 'mail_old.eml'), 1000, 1000)
  await outbox.sweep()
  expect(readdirSync(mails)).toEqual(['mail_new.eml'])
  await close()
  rmSync(folder, { recursive: true })
})
