import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('a server whose disk does not store a commit ends, and answers nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-disk-'))
  try {
    const program = `
      import { endOnDiskFailure } from '${import.meta.dir}/runtime.ts'
      import { openSqlite } from '${import.meta.dir}/../platform/db/sqlite.ts'
      import { createLog } from '${import.meta.dir}/../platform/log.ts'
      const database = openSqlite('${join(folder, 'test.db')}', {
        onDiskFailure: endOnDiskFailure(createLog({ level: 'info', format: 'json' })),
        sync: async () => { throw new Error('EIO: i/o error, fdatasync') },
      })
      const answer = (text) => () => console.log(text)
      await database.write(async () => {}).then(answer('stored'), answer('refused'))
      console.log('went on')
    `
    const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
    const [printed, logged] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect(await child.exited).toBe(1)
    expect(printed).toBe('')
    expect(logged).toContain('the disk failed to store the log of the database')
    expect(logged).toContain('EIO')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
