import { expect, it } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { explainFileError } from './errors.ts'
import { CommandFailed } from './output.ts'

function refused(code: string, path?: string) {
  return Object.assign(new Error(`${code}: denied, open '${path}'`), { code, path })
}

it('says which file the user of the program may not use', () => {
  expect(explainFileError(refused('EACCES', '/data/.env'), 10001)).toEqual(
    new CommandFailed('Cannot use /data/.env: permission denied. The program runs as user 10001.'),
  )
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
  expect(missing).toEqual(new CommandFailed('Cannot use /none/b.zip: it does not exist.'))
  const inFile = explainFileError(refused('ENOTDIR', '/etc/passwd/data'), 1) as Error
  expect(inFile.message).toEndWith(': a part of its path is not a folder.')
})

it('leaves every other error as it is', () => {
  for (const err of [refused('EBADF', '/data'), refused('EACCES'), new Error('bug')]) {
    expect(explainFileError(err, 1)).toBe(err)
  }
})
