/** The npm package `handbill`: packed, installed into an empty folder, and used from there. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pro, visitor } from './client.ts'
import { installedPackage } from './client-package.ts'
import { everyCase } from './expect.ts'
import { agent, ERAS, slugIn } from './mcp-client.ts'
import { server } from './server.ts'

const ROOT = join(import.meta.dir, '..')
const installed = installedPackage()
const { folder, succeed } = installed

test('installing it brings nothing else', () => {
  const names = readdirSync(installed.modules).filter((name) => name[0] !== '.')
  expect(names).toEqual(['handbill'])
})

test('npm finds its manual page', async () => {
  const { man } = JSON.parse(readFileSync(join(installed.root, 'package.json'), 'utf8'))
  expect(man).toEqual(['handbill.1'])
  const page = readFileSync(join(installed.root, man[0]), 'utf8')
  expect(page.trim()).toBe((await succeed(installed.program, 'man')).trim())
})

test('the official client of MCP starts its server, in Node.js', async () => {
  expect(readFileSync(installed.program, 'utf8')).toStartWith('#!/usr/bin/env node\n')
  writeFileSync(join(folder, 'page.html'), '<h1>From a folder')
  await everyCase(
    ERAS.map((era) => [era, era] as const),
    async (era) => {
      const { program } = installed
      await using it = await agent('stdio', { program, cwd: folder, era })
      const made = await it.call('publish_page', { local_path: 'page.html' })
      expect((await visitor.open(slugIn(made))).text).toContain('<h1>From a folder')
      const { isError, json } = await it.call('get_page', { page_id: 'pg_none' })
      expect([isError, json.error.code]).toEqual([true, 'page_not_found'])
    },
  )
}, 240_000)

test('a program runs in Node.js, and its retries do, too', async () => {
  writeFileSync(
    join(folder, 'program.js'),
    `import { ApiError, createClient, paginate } from 'handbill'
    const [baseUrl, key] = process.argv.slice(2)
    let calls = 0
    const flaky = async (...args) =>
      (calls += 1) === 1 ? new Response('', { status: 503 }) : fetch(...args)
    const handbill = createClient({ baseUrl, key, fetch: flaky, backoffMs: 1 })
    const { data: page } = await handbill.createPage({ html: '<h1>Packed' })
    const { data: upload } = await handbill.createUpload(new Blob(['<h1>Uploaded']))
    await handbill.updatePage({ id: page.id, html_upload: upload.id })
    let pages = 0
    for await (const { data } of paginate(handbill.listPages, { limit: 1 })) {
      pages += data.length
      if (pages > 1) break
    }
    const error = await handbill.getPage({ id: 'pg_none' }).catch((err) => err)
    console.log(JSON.stringify([page.id, calls > 4, error instanceof ApiError, error.code]))`,
  )
  const { pro: key } = server.keys
  const [id, ...rest] = JSON.parse(await succeed('node', 'program.js', server.url, key))
  expect(rest).toEqual([true, true, 'page_not_found'])
  expect((await pro.page(id)).has_unpublished_changes).toBe(true)
}, 240_000)

const TYPED = `import { createClient, type Input, type Output, paginate } from 'handbill'
declare const environment: { HANDBILL_API_KEY: string | undefined }
const { HANDBILL_API_KEY: key } = environment
const handbill = createClient({ baseUrl: 'https://pages.example.com', key })
const input: Input<'createPage'> = { html: '<p>', access: 'password', expires_at: null }
export const { data: page } = await handbill.createPage(input, { idempotency_key: 'x' })
export const views: number = page.views
export const people: string[] = page.people.map(({ email }) => email)
export const account: Output<'getAccount'> = await handbill.getAccount()
export const csv: Response = await handbill.listResponses({ id: page.id, format: 'csv' })
for await (const { data } of paginate(handbill.listPages, {})) console.log(data[0]?.title)
`
const WRONG = [
  "handbill.createPage({ access: 'everybody' })",
  "handbill.createPage({ htlm: '<p>' })",
  'handbill.updatePage({ title: 1, id: page.id })',
  'handbill.publishPage()',
  'page.nothing',
  'handbill.noOperation()',
]

test('a program is checked by the types of the package, with those of no other', async () => {
  const source = join(folder, 'typed.ts')
  const args = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext']
  const check = async (text: string) => {
    writeFileSync(source, text)
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    return installed.run(tsc, ...args, '--lib', 'es2022,dom', source)
  }
  const right = await check(TYPED)
  expect([right.code, right.stdout]).toEqual([0, ''])
  const wrong = await check(TYPED + WRONG.join('\n'))
  const lines = wrong.stdout.split('\n').filter((line) => line.startsWith('typed.ts('))
  const start = TYPED.split('\n').length
  expect(lines.map((line) => Number(/\((\d+)/.exec(line)![1]) - start)).toEqual(
    WRONG.map((_, at) => at),
  )
}, 240_000)

/** What runtimes differ in: files, archives, terminals, signals and requests that last. */
const TESTS_IN_NODE = [
  ...['account', 'connect', 'deck', 'follow.slow', 'hostile'],
  ...['login.slow', 'publish', 'pull', 'terminal'],
].map((name) => `./acceptance/client-${name}.test.ts`)

test('the command of the package passes the tests of the command line', async () => {
  const child = Bun.spawn([join(ROOT, 'bin/bun'), 'test', '--timeout=120000', ...TESTS_IN_NODE], {
    cwd: ROOT,
    env: { ...process.env, HANDBILL_CLIENT: installed.program },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const report = await new Response(child.stderr).text()
  expect(await child.exited, report.match(/^.*\(fail\).*$/gm)?.join('\n') ?? report).toBe(0)
  expect(report).toMatch(/\b\d\d+ pass\b/)
}, 1_800_000)
