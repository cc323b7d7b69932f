import { expect, it } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { explainDenied } from './errors.ts'
import { CommandFailed } from './output.ts'

function refused(code: string, path?: string) {
  return Object.assign(new Error(`${code}: denied, open '${path}'`), { code, path })
}

it('says which file the user of the program may not use', () => {
  expect(explainDenied(refused('EACCES', '/data/.env'), 10001)).toEqual(
    new CommandFailed('Cannot use /data/.env: permission denied. The program runs as user 10001.'),
  )
  const relative = explainDenied(refused('EACCES', '.env'), 10001) as Error
  expect(relative.message).toContain(`${process.cwd()}/.env`)
  const readOnly = explainDenied(refused('EROFS', '/data'), 10001) as Error
  expect(readOnly.message).toContain('read-only')
})

it.skipIf(process.platform !== 'linux')('knows the errors of the file system', () => {
  let err: unknown
  try {
    mkdirSync('/sys/handbill')
  } catch (caught) {
    err = caught
  }
  expect(String(explainDenied(err))).toContain('Cannot use /sys/handbill: ')
})

it('leaves every other error as it is', () => {
  for (const err of [refused('ENOENT', '/data'), refused('EACCES'), new Error('bug')]) {
    expect(explainDenied(err, 1)).toBe(err)
  }
})
