import { expect, it } from 'bun:test'
import { createLeases } from '../platform/db/leases.ts'
import { sha256 } from '../platform/ids.ts'
import { ENGINES, HOUR_MS, testApp } from '../testing/app.ts'
import { storedKeys } from '../testing/dump.ts'
import { htmlOf } from '../testing/material.ts'
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
