import { describe, expect, it } from 'bun:test'
import * as nodeFiles from 'node:fs/promises'
import { join } from 'node:path'
import { diskBlobs } from '../../platform/blobs/disk.ts'
import type { Files } from '../../platform/durable-files.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { storedKeys } from '../../testing/dump.ts'

/** Large enough for a file, and for work in a thread, to which its bytes are moved. */
const words = 'text '.repeat(60_000)
const FRAGMENT = `<h1>Before</h1><p>${words}`

describe.each(ENGINES)('large content that is written while it is read, on %s', (engine) => {
  it('is stored whole: as it was given, and as visitors are sent it', async () => {
    await using app = await testApp(engine)
    const owner = await app.owner()
    const { id, slug } = await owner.publish(FRAGMENT)
    expect(await storedKeys(app)).toHaveLength(2)
    const edits = [{ find: 'Before', replace: 'After' }]
    const edited = await owner.call('PATCH', `/pages/${id}/html`, { edits, publish: true })
    expect(edited.status).toBe(200)
    const after = FRAGMENT.replace('Before', 'After')
    const { html } = await owner.ask<{ html: string }>('GET', `/pages/${id}/html?full=true`)
    expect(html).toBe(after)
    const text = await (await app.open(`/p/${slug}`)).text()
    expect(text.endsWith(after)).toBe(true)
    expect(text).toStartWith('<!doctype html>')
    expect(await storedKeys(app)).toHaveLength(4)
  })

  it('and cannot be stored changes nothing', async () => {
    const disk = { fails: false }
    await using app = await testApp(engine, {}, ({ folder }) =>
      diskBlobs(join(folder, 'blobs'), filesOn(disk)),
    )
    const owner = await app.owner()
    const { id, slug } = await owner.publish(FRAGMENT)
    const edits = [{ find: 'Before', replace: 'After' }]
    const edit = () => owner.call('PATCH', `/pages/${id}/html`, { edits, publish: true })
    const pageOf = async () => (await app.open(`/p/${slug}`)).text()
    const before = await pageOf()
    disk.fails = true
    expect((await edit()).status).toBeGreaterThanOrEqual(500)
    expect(await pageOf()).toBe(before)
    expect(await owner.versions(id)).toHaveLength(1)
    disk.fails = false
    expect((await edit()).status).toBe(200)
    expect(await pageOf()).toBe(before.replaceAll('Before', 'After'))
  })
})

/** Files that cannot be made durable while the disk fails. */
function filesOn(disk: { fails: boolean }): Files {
  return {
    ...nodeFiles,
    async open(...args: Parameters<Files['open']>) {
      const file = await nodeFiles.open(...args)
      if (disk.fails) file.sync = () => Promise.reject(new Error('The disk fails'))
      return file
    },
  }
}
