/**
 * The executable of `npm run build` is one self-contained file. It runs in a folder with nothing
 * else, and with a PATH without any program.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser } from './client.ts'
import { everyCase } from './expect.ts'
import { base64, html, pdf, word } from './material.ts'
import { agent, TRANSPORTS } from './mcp-client.ts'
import { type CommandResult, runProgram } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const checkout = join(import.meta.dir, '..')
const bareEnv: Record<string, string> = {
  ...freshEnvironment(),
  PATH: '/nonexistent',
  NODE_EXTRA_CA_CERTS: '',
}
const { BASE_URL = '', DATA_DIR = '' } = bareEnv
const folder = join(DATA_DIR, '..')
const executable = join(folder, 'handbill')
let server: Awaited<ReturnType<typeof start>>
let key: string

beforeAll(async () => {
  const npm = ['npm', 'run', '--silent', 'build']
  const built = Bun.spawn(npm, { cwd: checkout, stdout: 'ignore', stderr: 'pipe' })
  expect(await built.exited, await new Response(built.stderr).text()).toBe(0)
  copyFileSync(join(checkout, 'dist/handbill'), executable)
  expect(readdirSync(folder), 'one file').toEqual(['handbill'])
  server = await start(bareEnv, executable)
  while (!server.output().includes('/setup/')) await Bun.sleep(10)
  key = await setUpFirstAccount()
}, 240_000)
afterAll(cleanUp)

function run(...args: string[]): Promise<CommandResult> {
  return runProgram([executable, ...args], bareEnv)
}

async function get(path: string, headers: Record<string, string> = browser) {
  const answer = await fetch(new URL(path, BASE_URL), { headers, redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

async function publish(page: Record<string, unknown>): Promise<string> {
  const answer = await fetch(`${BASE_URL}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: word('page'), ...page }),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { data: { url: string } }).data.url
}

/** Opens the set-up link. @returns the key of the first account */
async function setUpFirstAccount(): Promise<string> {
  const [link = ''] = /http:\S+\/setup\/\S+/.exec(server.output()) ?? []
  expect((await get(link)).status).toBe(200)
  const body = new URLSearchParams({ email: 'first@handbill.example' })
  const headers = { origin: BASE_URL }
  const made = await fetch(link, { method: 'POST', headers, body, redirect: 'manual' })
  const cookie = made.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const page = await fetch(BASE_URL + made.headers.get('location'), { headers: { cookie } })
  const [shown] = /sm_\w+/.exec(await page.text()) ?? []
  expect(shown, 'the set-up leads to the first key').toBeDefined()
  return shown!
}

/** Every asset that a page names, and those that its styles name. */
async function assetsOf(page: string): Promise<string[]> {
  const named = new Set(
    [...page.matchAll(/["'](\/~\/[\w./-]+\.\w+)["']/g)].map(([, path]) => path!),
  )
  for (const stylesheet of [...named].filter((path) => path.endsWith('.css'))) {
    const { text } = await get(stylesheet)
    for (const [, file] of text.matchAll(/url\(([\w.-]+)\)/g)) named.add(`/~/${file}`)
  }
  return [...named]
}

test('the executable serves published pages, and every file that its own pages name', async () => {
  const hello = await publish({ html: '<!doctype html><h1>Hello from one file</h1>' })
  expect((await get(hello)).text).toContain('Hello from one file')
  const large = await publish({ html: `<h1>Large</h1>${'<p>words'.repeat(60_000)}` })
  expect((await get(large)).text, 'made in a thread').toContain('<title>Large</title>')
  const stores = await publish({ html: '<script>localStorage.a = 1</script>' })
  const shell = await get(stores)
  expect(shell.text, 'the shell').toMatch(/<iframe\b/)
  expect(shell.text, 'its styles').toMatch(/<style\b[^>]*>[^<]*iframe/)
  expect(shell.text, 'its script').toMatch(/<script\b.*addEventListener/s)

  const file = { file_base64: base64(pdf()), filename: 'one.pdf' }
  const pages = {
    'the viewer of a PDF': await publish(file),
    'a page that asks for an email': await publish({ html: '<p>x', access: 'email_gate' }),
    'a page that asks for a password': await publish({ html: '<p>x', access: 'password' }),
    'the sign-in': `${BASE_URL}/app/sign-in`,
    'the reference': `${BASE_URL}/docs`,
  }
  await everyCase(Object.entries(pages), async (url) => {
    const { status, text } = await get(url)
    expect([200, 401, 403]).toContain(status)
    const files = await assetsOf(text)
    expect(files.length, 'it names assets').toBeGreaterThan(0)
    for (const path of files) expect((await get(path)).status, path).toBe(200)
  })
  const { text } = await get(pages['the viewer of a PDF'])
  const [wasm] = /\/~\/pdfjs-[\d.]+\/wasm\//.exec(text) ?? []
  expect((await get(`${wasm}openjpeg.wasm`)).status, 'the data of pdf.js').toBe(200)
  expect((await get('/~/manifest.json')).status).toBe(404)
})

test('the executable’s commands work while its server runs, with the usual output and statuses', async () => {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` })
  expect((await run('--help')).stdout).toContain('handbill serve')
  expect((await run('account', 'add', 'second@handbill.example')).code).toBe(0)
  const made = await run('key', 'create', 'second@handbill.example')
  expect(made.stdout).toMatch(/^sm_\w+\n$/)
  expect((await run('nonsense')).code).toBe(2)
  const again = await run('account', 'add', 'second@handbill.example')
  expect(again.code).toBe(1)
  expect(again.stderr.trim().split('\n')).toHaveLength(1)
})

test('the executable works as the command-line client and the MCP server', async () => {
  const [content, source] = [word('content'), join(folder, 'page.html')]
  writeFileSync(source, html(content))
  const env = { ...bareEnv, HANDBILL_URL: BASE_URL, HANDBILL_API_KEY: key }
  const published = await runProgram([executable, 'publish', source], env)
  expect(published.code, published.stderr).toBe(0)
  expect((await get(published.stdout.trim())).text).toContain(content)
  for (const transport of TRANSPORTS) {
    await using it = await agent(transport, { url: BASE_URL, key, program: executable })
    expect((await it.call('list_pages', {})).text, transport).toContain(published.stdout.trim())
  }
})

test('the executable’s stack traces name source files, and no path of the build', async () => {
  const unusable = join(folder, 'file')
  writeFileSync(unusable, '')
  const env = { ...bareEnv, DATA_DIR: join(unusable, 'data'), LOG_LEVEL: 'debug' }
  const { code, stderr } = await runProgram([executable, 'account', 'add', 'a@b.example'], env)
  expect(code).toBe(1)
  expect(stderr).toMatch(/at \w+ \(src\/[\w/-]+\.ts:\d+:\d+\)/)
  expect(stderr).not.toContain(checkout)
  const bytes = readFileSync(executable)
  for (const path of ['src', 'web', 'dist', 'node_modules']) {
    expect(bytes.includes(join(checkout, path, '/')), path).toBe(false)
  }
})

test('the executable reads the .env of the working folder, and runs no file of it', async () => {
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, '.env'), 'PORT=none\n')
  writeFileSync(join(elsewhere, 'bunfig.toml'), 'preload = ["./theirs.ts"]\n')
  writeFileSync(join(elsewhere, 'theirs.ts'), 'console.log("theirs")\n')
  const { PORT: _, ...rest } = bareEnv
  const { code, stdout, stderr } = await runProgram(
    [executable, 'account', 'list'],
    rest,
    elsewhere,
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('PORT must be')
})

test('SIGTERM stops the executable with status 0, and it has written only its data', async () => {
  expect(await server.stop()).toBe(0)
  const ours = ['.handbill.json', 'elsewhere', 'file', 'handbill', 'page.html']
  expect(readdirSync(folder).sort()).toEqual([...ours, 'data'].sort())
})
