import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTemporaryFiles } from './temporary-files.ts'

const parent = mkdtempSync(join(tmpdir(), 'handbill-temporary-'))
const folder = join(parent, 'tmp')
afterAll(() => rmSync(parent, { recursive: true }))

test('a temporary file holds what was appended, and has no name', async () => {
  const file = await createTemporaryFiles(folder).create()
  await file.append(Buffer.from('first '))
  await file.append(Buffer.from('second'))
  const target = Buffer.alloc(12)
  await file.readAt(target, 0)
  expect(target.toString()).toBe('first second')
  await file.readAt(target.subarray(0, 5), 0)
  expect(target.toString()).toBe('first second')
  expect(readdirSync(folder)).toEqual([])
  await expect(file.readAt(Buffer.alloc(13), 0)).rejects.toThrow('shorter')
  await file.close()
})

test('the folder is private, and is emptied at the start', () => {
  createTemporaryFiles(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  writeFileSync(join(folder, 'left'), 'by a process that was killed')
  createTemporaryFiles(folder)
  expect(readdirSync(folder)).toEqual([])
})
