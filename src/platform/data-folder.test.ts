import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOwner } from '../testing/postgres-binaries.ts'

test('a folder that this user may read and not write is refused, with its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-folder-'))
  try {
    chmodSync(folder, 0o555)
    const program = `
      const { makePrivate } = await import('${import.meta.dir}/data-folder.ts')
      makePrivate('${folder}')
    `
    const { stderr } = spawnSync(process.execPath, ['-e', program], findOwner())
    expect(String(stderr)).toContain(`EACCES: permission denied, access '${folder}'`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
