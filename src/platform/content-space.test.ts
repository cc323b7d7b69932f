import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContentSpace, diskSpace, withinSpace } from './content-space.ts'
import { createTemporaryFiles } from './temporary-files.ts'

const GB = 1024 ** 3

const CASES: [free: number, total: number, left: number][] = [
  [100 * GB, 500 * GB, 99 * GB],
  [GB, 500 * GB, 0],
  [0, 500 * GB, -GB],
  [10 * GB, 10 * GB, 9.5 * GB],
  [GB / 10, GB, GB / 20],
]
test.each(CASES)('of %d free bytes on a disk of %d, content may take %d', (free, total, left) => {
  const space = createContentSpace('', () => ({ free_bytes: free, total_bytes: total }))
  expect(space.freeBytes()).toBe(left)
  for (const bytes of [left, left + 1]) {
    const refused = { kind: 'noSpace', code: 'storage_full' }
    const assert = () => space.assertFits(bytes)
    if (bytes <= left) expect(assert).not.toThrow()
    else expect(assert).toThrow(expect.objectContaining(refused))
  }
})

test('a temporary file takes no more than content may', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-space-'))
  const disk = diskSpace(folder)
  expect(disk.total_bytes).toBeGreaterThan(disk.free_bytes)
  try {
    const space = createContentSpace('', () => disk)
    disk.free_bytes = disk.total_bytes
    const file = await withinSpace(createTemporaryFiles(folder), space).create()
    await file.append(Buffer.from('kept'))
    disk.free_bytes = 0
    await expect(file.append(Buffer.from('not'))).rejects.toThrow('no space left')
    const read = Buffer.alloc(4)
    await file.readAt(read, 0)
    expect(read.toString()).toBe('kept')
    await file.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
