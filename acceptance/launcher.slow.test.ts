/** `bin/handbill` in a copy of the checkout must always run the current sources. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handbill, runProgram } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const checkout = join(handbill, '..', '..')
const prepare = readFileSync(join(checkout, 'bin', 'prepare'), 'utf8')
/** The paths that bin/prepare checks. The copy has only these, so that a build needs no other. */
const sources = /^sources="(.*)"$/m.exec(prepare)![1]!.replace('$wanted', 'package-lock.json')
const copy = mkdtempSync(join(tmpdir(), 'handbill-launcher-'))
const env = { PATH: process.env.PATH ?? '', HOME: copy }

beforeAll(async () => {
  const built = ['handbill', 'web', '.built'].map((name) => `dist/${name}`)
  for (const name of ['bin', ...sources.split(' '), ...built]) {
    cpSync(join(checkout, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
  await run()
}, 240_000)
afterAll(async () => {
  await cleanUp()
  rmSync(copy, { recursive: true })
})

function run() {
  return runProgram([join(copy, 'bin', 'handbill'), '--version'], env)
}

function setVersion(version: string): string {
  const file = join(copy, 'package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
  return file
}

test('nothing is built or printed while the sources are unchanged', async () => {
  const { code, stdout, stderr } = await run()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a changed source is built first, even with an old date, and a server that runs survives it', async () => {
  const data: Record<string, string> = { ...freshEnvironment(), PATH: env.PATH }
  const server = await start(data, join(copy, 'bin', 'handbill'))
  utimesSync(setVersion('99.0.1'), 0, 0)
  const rest = join(copy, 'dist/.executable')
  mkdirSync(rest)
  expect(await run()).toMatchObject({ code: 0, stdout: '99.0.1\n' })
  expect((await run()).stderr).toBe('')
  expect(existsSync(rest), 'what an interrupted build left').toBe(false)
  const { status } = await fetch(`${data.BASE_URL}/docs`)
  expect(status, 'a part that it had not loaded').toBe(200)
  expect(await server.stop()).toBe(0)
}, 240_000)

test('sources are read again where only their dates have changed, and nothing is built', async () => {
  const file = join(copy, 'src/commands/work.ts')
  const built = statSync(join(copy, 'dist/handbill')).mtimeMs
  const seen = () => readFileSync(join(copy, 'dist/.seen'), 'utf8')
  const before = seen()
  utimesSync(file, 1, 1)
  expect(await run()).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(join(copy, 'dist/handbill')).mtimeMs).toBe(built)
  expect(seen(), 'the next start need not read them').not.toBe(before)
}, 240_000)

test('a deleted source is noticed: the last build does not run without it', async () => {
  rmSync(join(copy, 'web/tokens.css'))
  const { code, stdout, stderr } = await run()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('tokens.css')
  expect(existsSync(join(copy, 'dist/.built')), 'the next start builds').toBe(false)
}, 240_000)
