/** `bin/handbill` in a copy of the checkout must always run the current sources. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handbill, runProgram } from './server.ts'

const checkout = join(handbill, '..', '..')
const prepare = readFileSync(join(checkout, 'bin', 'prepare'), 'utf8')
/** The paths that bin/prepare checks. The copy has only these, so that a build needs no other. */
const sources = /^sources="(.*)"$/m.exec(prepare)![1]!.replace('$wanted', 'package-lock.json')
const copy = mkdtempSync(join(tmpdir(), 'handbill-launcher-'))
const env = { PATH: process.env.PATH ?? '', HOME: copy }

beforeAll(async () => {
  for (const name of ['bin', ...sources.split(' ')]) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  await run()
}, 60_000)
afterAll(() => rmSync(copy, { recursive: true }))

function run() {
  return runProgram([join(copy, 'bin', 'handbill'), '--version'], env)
}

test('nothing is built or printed while the sources are unchanged', async () => {
  const { code, stdout, stderr } = await run()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a changed source is built first, even with a date before the last build', async () => {
  const file = join(copy, 'package.json')
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), version: '99.0.1' }
  writeFileSync(file, JSON.stringify(manifest))
  utimesSync(file, 0, 0)
  expect(await run()).toMatchObject({ code: 0, stdout: '99.0.1\n' })
  expect((await run()).stderr).toBe('')
}, 60_000)

test('a build keeps the files that it replaces: a server that runs may load them yet', async () => {
  const folder = join(copy, 'dist/server')
  const listed = () => JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as string[]
  const before = listed()
  // However long ago they were built: what counts is when they were replaced.
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
  const file = join(copy, 'src/commands/apart.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('5000', '5001'))
  expect((await run()).code).toBe(0)
  writeFileSync(file, text)
  const replaced = before.filter((name) => !listed().includes(name))
  expect(replaced.length).toBeGreaterThan(0)
  const present = readdirSync(folder)
  expect(replaced.filter((name) => !present.includes(name))).toEqual([])
  expect(present.toSorted()).toEqual([...listed(), ...replaced, 'files.json'].toSorted())
}, 60_000)

test('a deleted source is noticed: the last build does not run without it', async () => {
  const file = join(copy, 'src/commands/usage.ts')
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  const { code, stdout, stderr } = await run()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('usage.ts')
  writeFileSync(file, text)
  expect((await run()).code).toBe(0)
}, 60_000)
