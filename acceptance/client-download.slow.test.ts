/** `GET /cli`: the command line of the client, as one file that runs in Node.js. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { pro, send } from './client.ts'
import { html, word } from './material.ts'
import { runProgram, server } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-download-'))
const program = join(folder, 'handbill')
const env = { PATH: process.env.PATH ?? '', HOME: folder }
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  writeFileSync(program, (await send('/cli')).text, { mode: 0o755 })
})

test('GET /cli is a program to save, with the address of its server and no other’s', async () => {
  const { status, headers, text } = await send('/cli')
  expect([status, text.split('\n')[0]]).toEqual([200, '#!/usr/bin/env node'])
  expect(text).toContain(JSON.stringify(server.url))
  expect(text).not.toContain('this-server.invalid')
  expect(text).not.toMatch(/\bsm_[0-9A-Za-z]{40}\b/)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="handbill"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  })
  const etag = headers.get('etag')!
  expect((await send('/cli', { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await send('/cli', { headers: { host: 'evil.example' } })).text).not.toContain('evil')
})

test('the program needs Node.js alone, in a folder of ES modules and in one without', async () => {
  const esm = join(folder, 'esm')
  mkdirSync(esm)
  writeFileSync(join(esm, 'package.json'), '{"type":"module"}')
  writeFileSync(join(esm, 'handbill'), readFileSync(program))
  for (const file of [program, join(esm, 'handbill')]) {
    expect(await runProgram(['node', file, '--version'], env)).toEqual({
      ...{ code: 0, stdout: `${packageJson.version}\n`, stderr: '' },
    })
  }
  expect((await runProgram([program, '--help'], env)).stdout).toContain('handbill publish')
  expect((await runProgram([program, '--help'], env)).stdout).not.toContain('backup')
  expect((await runProgram([program, 'nonsense'], env)).code).toBe(2)
  expect((await runProgram([program, '--nonsense'], env)).code).toBe(2)
  expect((await runProgram([program, 'nonsense', '--help'], env)).code).toBe(2)
  // What Node.js 20 does not have, and Bun does.
  const text = readFileSync(program, 'utf8')
  expect(text).not.toMatch(
    /\b(Promise\.(withResolvers|try)|(Map|Object)\.groupBy|URL\.parse|Array\.fromAsync)\b/,
  )
  expect(text).not.toMatch(/\.getOrInsert|\bBun\.\w/)
})

test('login and publish ask the server that the program is from', async () => {
  const command = `echo '${server.keys.pro}' | "$0" login --key - --json`
  const login = await runProgram(['sh', '-c', command, program], env)
  expect(JSON.parse(login.stdout)).toMatchObject({ url: server.url })
  const source = join(folder, 'page.html')
  writeFileSync(source, html(word('content')))
  const { code, stdout, stderr } = await runProgram([program, 'publish', source, '--json'], env)
  expect(code, stderr).toBe(0)
  const { id } = JSON.parse(stdout) as { id: string }
  expect(await pro.page(id)).toMatchObject({ source: 'cli', is_published: true })
})

test('a key of the environment goes to that server, though a login stored another', async () => {
  const home = join(folder, 'elsewhere')
  mkdirSync(join(home, '.config/handbill'), { recursive: true })
  const stored = { url: 'http://127.0.0.1:9', keys: { 'http://127.0.0.1:9': 'sm_other' } }
  writeFileSync(join(home, '.config/handbill/config.json'), JSON.stringify(stored))
  const own = { ...env, HOME: home }
  const whoami = await runProgram([program, 'whoami', '--json'], {
    ...{ ...own, HANDBILL_API_KEY: server.keys.pro },
  })
  expect(JSON.parse(whoami.stdout)).toMatchObject({ server: server.url })
  const listed = await runProgram([program, 'list'], own)
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining('127.0.0.1:9')])
})

test('handbill mcp ends when its input does, or at a message that is too long', async () => {
  const start = () =>
    Bun.spawn([program, 'mcp'], {
      env: { ...env, HANDBILL_API_KEY: server.keys.pro },
      ...{ stdin: 'pipe', stdout: 'ignore', stderr: 'pipe' },
    })
  const [ended, open] = [start(), start()]
  ended.stdin.end()
  open.stdin.write('x'.repeat(16 * 1024 * 1024 + 1))
  // It may end before it has read all of it.
  Promise.resolve(open.stdin.flush()).catch(() => {})
  expect(await Promise.all([ended.exited, open.exited])).toEqual([0, 1])
  expect(await new Response(ended.stderr).text()).toBe('')
  expect(await new Response(open.stderr).text()).toMatch(/^handbill: A message is over 16 MB.+\n$/)
})

test('commands of a server say that they need its program, and where to get it', async () => {
  for (const args of [['serve'], ['account', 'add', 'ann@example.com'], ['key', 'list', 'a@b.c']]) {
    const { code, stdout, stderr } = await runProgram([program, ...args], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${args[0]} is a command of the server’s program`)
    expect(stderr).toContain('docs/self-hosting.md')
  }
  for (const args of [
    ['account', '--help'],
    ['help', 'account', 'add'],
    ['serve', '--help'],
  ]) {
    const { code, stdout } = await runProgram([program, ...args], env)
    expect({ args, code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/handbill/),
    })
  }
})
