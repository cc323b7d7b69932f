/** The npm package `handbill`: packed, and installed into an empty folder. */
import { afterAll, beforeAll, expect } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './server.ts'

const ROOT = join(import.meta.dir, '..')

/** Installs it before the tests of a file. */
export function installedPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-package-'))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_offline: 'true' }
  afterAll(() => rmSync(folder, { recursive: true }))

  function run(...args: string[]) {
    return runProgram(args, env, folder)
  }

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args)
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }

  beforeAll(async () => {
    const made = join(folder, 'made')
    mkdirSync(made)
    await succeed(join(ROOT, 'bin/bun'), join(ROOT, 'build/package.ts'), made)
    const file = (await succeed('npm', 'pack', '--silent', made)).trim()
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    await succeed('npm', 'install', '--no-audit', '--no-fund', join(folder, file))
  }, 120_000)

  const modules = join(folder, 'node_modules')
  return {
    folder,
    modules,
    /** The command that npm linked. */
    program: join(modules, '.bin/handbill'),
    /** What its files are in. */
    root: join(modules, 'handbill'),
    run,
    succeed,
  }
}
