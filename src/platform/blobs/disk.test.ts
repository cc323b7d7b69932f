import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Files } from '../durable-files.ts'
import { sha256 } from '../ids.ts'
import { diskBlobs } from './disk.ts'

const KEY = 'ab'.repeat(16)
const HASH = () => sha256('content')
const SAME_FOLDER = `ab${'cd'.repeat(15)}`

let parent: string
let folder: string
let calls: string[]
/** The name of a call that fails, as `calls` has it. */
let failing: string | null
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'handbill-blobs-'))
  folder = join(parent, 'blobs')
  calls = []
  failing = null
})
afterEach(() => rmSync(parent, { recursive: true }))

/** The names of temporary files are random: they all read `tmp/*`. */
function nameOf(path: string): string {
  return (relative(folder, path) || '.').replace(/^tmp\/.*/, 'tmp/*')
}

async function record<T>(call: string, act: () => Promise<T>): Promise<T> {
  calls.push(call)
  await Bun.sleep(1)
  if (call === failing) throw new Error(`${call} failed`)
  return act()
}

/** The real files, with a record of what was asked of them and in which order. */
const recording = {
  mkdir: (path: string, options: object) =>
    record(`mkdir ${nameOf(path)}`, () => nodeFiles.mkdir(path, options)),
  rename: (from: string, to: string) =>
    record(`rename ${nameOf(from)} ${nameOf(to)}`, () => nodeFiles.rename(from, to)),
  rm: (path: string, options: object) =>
    record(`rm ${nameOf(path)}`, () => nodeFiles.rm(path, options)),
  async open(path: string, flags: string, mode?: number) {
    const file = await nodeFiles.open(path, flags, mode)
    return {
      write: (chunk: Uint8Array, offset: number) =>
        record(`write ${nameOf(path)}`, () => file.write(chunk, offset)),
      sync: () => record(`sync ${nameOf(path)}`, () => file.sync()),
      [Symbol.asyncDispose]: () => file.close(),
    }
  },
} as unknown as Files

const PUT = [
  'write tmp/*',
  'sync tmp/*',
  'mkdir ab',
  'sync .',
  'sync ..',
  `rename tmp/* ab/${KEY}`,
  'sync ab',
]

describe('a blob on the disk', () => {
  it('is synced, then renamed, then its folder is synced', async () => {
    const blobs = diskBlobs(folder, recording)
    await blobs.put(KEY, Buffer.from('content'), HASH)
    expect(calls).toEqual(PUT)
  })

  it('syncs the folder of a key that is there already, but not its parents again', async () => {
    const blobs = diskBlobs(folder, recording)
    await blobs.put(KEY, Buffer.from('content'), HASH)
    calls = []
    await blobs.put(SAME_FOLDER, Buffer.from('content'), HASH)
    const rename = `rename tmp/* ab/${SAME_FOLDER}`
    expect(calls).toEqual(['write tmp/*', 'sync tmp/*', rename, 'sync ab'])
  })

  it('syncs the parents again in a new process, which cannot know that they were', async () => {
    await diskBlobs(folder).put(KEY, Buffer.from('content'), HASH)
    await diskBlobs(folder, recording).put(SAME_FOLDER, Buffer.from('content'), HASH)
    expect(calls).toContain('sync .')
  })

  it('is renamed only after its folder is durable, also where another put makes that', async () => {
    const blobs = diskBlobs(folder, recording)
    await Promise.all([KEY, SAME_FOLDER].map((key) => blobs.put(key, Buffer.from('content'), HASH)))
    const renames = calls.filter((call) => call.startsWith('rename'))
    expect(renames).toHaveLength(2)
    expect(calls.filter((call) => call === 'mkdir ab')).toHaveLength(1)
    expect(calls.indexOf('sync ..')).toBeLessThan(calls.indexOf(renames[0]!))
  })

  for (const call of PUT) {
    it(`is not stored when "${call}" fails, and can be put again`, async () => {
      const blobs = diskBlobs(folder, recording)
      failing = call
      expect(await blobs.put(KEY, Buffer.from('content'), HASH).catch(String)).toBe(
        `Error: ${call} failed`,
      )
      expect(readdirSync(join(folder, 'tmp'))).toEqual([])
      expect(await blobs.has(KEY)).toBe(false)
      failing = null
      await blobs.put(KEY, Buffer.from('content'), HASH)
      expect(await blobs.has(KEY)).toBe(true)
    })
  }

  it('is opened as a slice of the file, which copies nothing into memory', async () => {
    const blobs = diskBlobs(folder)
    await blobs.put(KEY, Buffer.from('content'), HASH)
    const body = await blobs.open({ key: KEY, hash: HASH(), sizeBytes: 7 }, { start: 2, end: 5 })
    expect(body).toBeInstanceOf(Blob)
    expect((body as Bun.BunFile).name).toBe(join(folder, 'ab', KEY))
  })

  it('is not confused with other files in its folder', async () => {
    const blobs = diskBlobs(folder)
    await blobs.put(KEY, Buffer.from('content'), HASH)
    mkdirSync(join(folder, 'lost+found'))
    writeFileSync(join(folder, '.DS_Store'), '')
    writeFileSync(join(folder, 'ab', '.DS_Store'), '')
    writeFileSync(join(folder, 'ab', 'cd'.repeat(16)), '')
    const keys = (await Array.fromAsync(blobs.list())).map(({ key }) => key)
    expect(keys).toEqual([KEY])
  })
})
