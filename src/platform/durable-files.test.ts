import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWhole } from './durable-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-durable-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a disk that becomes full leaves no part of a file, and the error says which', async () => {
  async function* untilFull() {
    yield Buffer.from('the start')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  const path = join(folder, 'backup.zip')
  await expect(writeWhole(path, untilFull())).rejects.toMatchObject({ code: 'ENOSPC', path })
  expect(readdirSync(folder)).toEqual([])
})

test('what a killed process left of a file is gone once it is written again, and nothing else', async () => {
  const names = ['a.zip.77.part', 'a.zip.part', 'b.zip.77.part', 'aXzip.77.part']
  for (const name of names) writeFileSync(join(folder, name), 'half')
  await writeWhole(join(folder, 'a.zip'), Buffer.from('whole'))
  expect(readdirSync(folder).toSorted()).toEqual(['a.zip', ...names.slice(1)].toSorted())
})
