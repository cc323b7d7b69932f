import { expect, it } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { explainFileError } from './errors.ts'
import { CommandFailed } from './output.ts'

function refused(code: string, path?: string) {
  return Object.assign(new Error(`${code}: denied, open '${path}'`), { code, path })
}

it('says which file the user of the program may not use', () => {
  const err = refused('EACCES', '/data/.env')
  const denied = explainFileError(err, 10001) as Error
  expect(denied.message).toBe(
    'Cannot use /data/.env: permission denied. The program runs as user 10001.',
  )
  expect(denied).toBeInstanceOf(CommandFailed)
  expect(denied.cause).toBe(err)
  const relative = explainFileError(refused('EACCES', '.env'), 10001) as Error
  expect(relative.message).toContain(`${process.cwd()}/.env`)
  const readOnly = explainFileError(refused('EROFS', '/data'), 10001) as Error
  expect(readOnly.message).toContain('read-only')
})

it.skipIf(process.platform !== 'linux')('knows the errors of the file system', () => {
  let err: unknown
  try {
    mkdirSync('/sys/handbill')
  } catch (caught) {
    err = caught
  }
  expect(String(explainFileError(err))).toContain('Cannot use /sys/handbill: ')
})

it('names what is missing or no folder, and no user', () => {
  const missing = explainFileError(refused('ENOENT', '/none/b.zip'), 1)
  expect(String(missing)).toBe('CommandFailed: Cannot use /none/b.zip: it does not exist.')
  const inFile = explainFileError(refused('ENOTDIR', '/etc/passwd/data'), 1) as Error
  expect(inFile.message).toEndWith(': a part of its path is not a folder.')
})

it('leaves every other error as it is', () => {
  for (const err of [refused('EBADF', '/data'), refused('EACCES'), new Error('bug')]) {
    expect(explainFileError(err, 1)).toBe(err)
  }
})

it('knows that a file was changed while it was read', () => {
  const err = new DOMException('The blob could not be read', 'NotReadableError')
  expect(String(explainFileError(err, 1))).toContain('CommandFailed: A file was changed')
})
