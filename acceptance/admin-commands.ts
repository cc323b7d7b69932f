import { expect, test } from 'bun:test'
import { word } from './material.ts'
import { type CommandResult, command, ownServer, server } from './server.ts'

export const own = test.skipIf(!server.own)

export interface Account {
  readonly id: string
  readonly email: string
  readonly plan: string
}

export interface Key {
  readonly id: string
  readonly key: string
}

export function run(...args: string[]): Promise<CommandResult> {
  return command(ownServer().env, ...args)
}

export function email(): string {
  return `${word('person')}@handbill.example`
}

/** Expects exit status 0 and exactly one JSON value on stdout. */
export async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(code, `handbill ${args.join(' ')}: ${stderr}`).toBe(0)
  return JSON.parse(stdout) as T
}

/** Expects the exit status, nothing on stdout, and one line on stderr without a stack. */
export function expectFailure(result: CommandResult, code: number): void {
  expect(result.code, result.stderr).toBe(code)
  expect(result.stdout).toBe('')
  expect(result.stderr.trim().length).toBeGreaterThan(10)
  expect(result.stderr).not.toMatch(/\n\s+at |\.ts:\d+|node_modules/)
  if (code !== 2) expect(result.stderr.trim().split('\n')).toHaveLength(1)
}
