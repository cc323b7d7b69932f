import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build.ts'

test('the build removes the files of an earlier one, and gives the same names to the same sources', async () => {
  const dist = mkdtempSync(join(tmpdir(), 'handbill-web-'))
  writeFileSync(join(dist, 'viewer-0000000000.js'), 'from an earlier build')
  await buildWeb(dist)
  const names = readdirSync(dist).sort()
  expect(names).toContainEqual(expect.stringMatching(/^viewer-[0-9a-f]{10}\.js$/))
  expect(names).not.toContain('viewer-0000000000.js')
  await buildWeb(dist)
  expect(readdirSync(dist).sort()).toEqual(names)
  rmSync(dist, { recursive: true })
})
