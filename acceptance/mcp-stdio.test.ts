import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pro, visitor } from './client.ts'
import { html, png, word } from './material.ts'
import { agent, slugIn } from './mcp-client.ts'
import { handbill, server } from './server.ts'

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'handbill-mcp-')))
const folder = join(outside, 'work')
const words = word('words')
const own = test.skipIf(!server.own)

beforeAll(() => {
  mkdirSync(join(folder, 'deck', '.git'), { recursive: true })
  writeFileSync(join(outside, 'secret.html'), html('Secret', 'secret'))
  writeFileSync(join(folder, 'page.html'), html('Page', words))
  writeFileSync(join(folder, 'notes.md'), `# ${words}`)
  writeFileSync(join(folder, 'photo.pdf'), '%PDF-1.7\nhello')
  writeFileSync(join(folder, 'large.html'), html('Large', 'x'.repeat(4.5 * 1024 * 1024)))
  writeFileSync(join(folder, '.hidden.html'), html('Hidden', 'hidden'))
  writeFileSync(join(folder, 'deck', 'index.html'), html('Deck', words))
  writeFileSync(join(folder, 'deck', '.env'), 'KEY=1')
  writeFileSync(join(folder, 'deck', '.git', 'config'), 'x')
  symlinkSync(join(outside, 'secret.html'), join(folder, 'deck', 'linked.html'))
  symlinkSync(join(outside, 'secret.html'), join(folder, 'linked.html'))
  // A file without an end, and a sparse file of great size.
  symlinkSync('/dev/zero', join(folder, 'zero.html'))
  Bun.spawnSync(['mkfifo', join(folder, 'pipe.html'), join(folder, 'deck', 'pipe.html')])
  Bun.spawnSync(['truncate', '--size=20G', join(folder, 'sparse.html')])
})
afterAll(() => rmSync(outside, { recursive: true, force: true }))

test('files of the working folder are published by their path', async () => {
  await using it = await agent('stdio', { cwd: folder })
  const { tools } = await it.client.listTools()
  const taking = tools.filter(({ inputSchema }) => 'local_path' in (inputSchema.properties ?? {}))
  expect(taking.map(({ name }) => name).sort()).toEqual([
    'publish_file',
    'publish_page',
    'update_page',
  ])
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24 * 1024)
  const notes = await it.call('publish_page', { local_path: 'notes.md' })
  expect(notes.json.data, notes.text).toMatchObject({ title: words })
  const page = await it.call('publish_page', { local_path: 'page.html', slug: word('local') })
  expect(page.isError, page.text).toBe(false)
  expect((await pro.page(page.json.data.id)).source).toBe('mcp')
  expect((await visitor.open(slugIn(page))).text).toContain(words)
  const file = await it.call('publish_file', { local_path: join(folder, 'photo.pdf') })
  expect((await pro.page(file.json.data.id)).file).toMatchObject({
    name: 'photo.pdf',
    mime: 'application/pdf',
  })
  const deck = await it.call('publish_page', { local_path: 'deck' })
  expect(await pro.page(deck.json.data.id)).toMatchObject({ kind: 'bundle', file_count: 1 })
  expect(deck.text).toContain('Left out .env, .git/: its name starts with a dot.')
  expect(deck.text).toContain('Left out linked.html: it links out of the folder.')
  expect(deck.text).toContain('Left out pipe.html: it is not a file.')
})

test('a page is published with the images beside it, also one that had none', async () => {
  await using it = await agent('stdio', { cwd: folder })
  writeFileSync(join(folder, 'shown.html'), html('x'))
  const page = await it.call('publish_page', { local_path: 'shown.html' })
  const { id } = page.json.data
  expect(await pro.page(id)).toMatchObject({ kind: 'single' })
  writeFileSync(join(folder, 'shown.html'), html('<img src="shown.png"><img src=".env">'))
  writeFileSync(join(folder, 'shown.png'), png())
  writeFileSync(join(folder, '.env'), 'KEY=1')
  const updated = await it.call('update_page', { page_id: id, local_path: 'shown.html' })
  expect(updated.isError, updated.text).toBe(false)
  expect(updated.text).toContain('With it: shown.png.')
  expect(updated.text).toContain('Left out, but shown.html uses it: .env')
  expect(await pro.page(id)).toMatchObject({ kind: 'bundle', entry_path: 'shown.html' })
})

test('content larger than a request is uploaded separately', async () => {
  await using it = await agent('stdio', { cwd: folder })
  const large = await it.call('publish_page', { local_path: 'large.html' })
  expect(large.isError, large.text).toBe(false)
  const answer = await visitor.open(slugIn(large))
  expect(answer.bytes.byteLength).toBeGreaterThan(4.5 * 1024 * 1024)
})

test('a path outside of the folder, of a hidden file or of no page publishes nothing', async () => {
  await using it = await agent('stdio', { cwd: folder })
  const before = (await it.call('list_pages', { limit: 1 })).text
  const wrong: [object, string][] = [
    [{ local_path: '../secret.html' }, 'bad_path'],
    [{ local_path: join(outside, 'secret.html') }, 'bad_path'],
    [{ local_path: 'linked.html' }, 'bad_path'],
    [{ local_path: '.hidden.html' }, 'bad_path'],
    [{ local_path: 'deck/.git' }, 'bad_path'],
    [{ local_path: 'missing.html' }, 'bad_path'],
    [{ local_path: 'page.html\0' }, 'bad_path'],
    [{ local_path: ['page.html'] }, 'bad_path'],
    [{ local_path: '/etc/passwd' }, 'bad_path'],
    [{ local_path: 'zero.html' }, 'bad_path'],
    [{ local_path: 'pipe.html' }, 'bad_path'],
    [{ local_path: 'sparse.html' }, 'bad_path'],
    [{ local_path: 'deck/../../secret.html' }, 'bad_path'],
    [{ local_path: 'page.html', html: '<p>x' }, 'content_source'],
    [{ local_path: 'photo.pdf' }, 'content_source'],
  ]
  for (const [args, code] of wrong) {
    const { isError, json, text } = await it.call('publish_page', args)
    expect([args, isError, json?.error.code]).toEqual([args, true, code])
    expect(text).not.toContain('secret</')
  }
  expect((await it.call('list_pages', { limit: 1 })).text).toBe(before)
})

test('started in the root folder, it publishes no files', async () => {
  await using it = await agent('stdio', { cwd: '/' })
  const { tools } = await it.client.listTools()
  expect(JSON.stringify(tools)).not.toContain('local_path')
  const { json } = await it.call('publish_page', { local_path: '/etc/hostname' })
  expect(json.error).toMatchObject({ code: 'unknown_parameter', param: 'local_path' })
})

test('what no request can hold is refused in the tool’s result', async () => {
  await using it = await agent('stdio')
  for (const [name, args, code] of [
    ['publish_page', { html_base64: '\0' }, 'invalid_base64'],
    ['get_answers', { ask_id: '' }, 'invalid_parameter'],
    ['get_answers', { ask_id: '..' }, 'invalid_parameter'],
    ['get_answers', { ask_id: '\ud800' }, 'ask_not_found'],
  ] as const) {
    const { isError, text } = await it.call(name, args)
    expect([args, isError, text]).toEqual([args, true, expect.stringContaining(`"${code}"`)])
  }
})

own('a page’s URL is accepted as its id, whatever base URL the server has', async () => {
  const { port } = new URL(server.url)
  await using it = await agent('stdio', { url: `http://localhost:${port}` })
  const made = await it.call('publish_page', { html: '<p>x' })
  const page = { ...made.json.data, slug: slugIn(made) }
  expect((await it.call('get_page', { page_id: page.url })).json.data.id).toBe(page.id)
  const elsewhere = `https://example.com/p/${page.slug}`
  const refused = await it.call('delete_page', { page_id: elsewhere })
  expect(refused.json.error.code).toBe('page_not_found')
  expect((await it.call('get_page', { page_id: page.id })).isError).toBe(false)
})

test('stdout carries the protocol alone, and every request is answered before the end', async () => {
  const { code, lines, stderr } = await piped([
    '{"jsonrpc":"2.0","id":1,"method":"pi',
    '[{"jsonrpc":"2.0","id":2,"method":"ping"}]',
    JSON.stringify({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'publish_page', arguments: { html: html('Piped', words) } },
    }),
  ])
  expect(code).toBe(0)
  expect(lines.map(({ id }) => id)).toEqual([3])
  expect(lines[0]!.result.content[0].text).toBe('Open to anyone with the link.')
  expect(stderr).not.toMatch(/\n\s+at |sm_/)
})

test('a message that is too long ends it with one line that says what to do', async () => {
  const { code, lines, stderr } = await piped(['x'.repeat(17 * 1024 * 1024)])
  expect([code, lines]).toEqual([1, []])
  expect(stderr).toMatch(/^handbill: A message is over 16 MB, [^\n]+ by local_path\.\n$/)
})

test('without a key it exits at once, and says how to get one', async () => {
  const { code, lines, stderr } = await piped([], { HANDBILL_API_KEY: '' })
  expect([code, lines]).toEqual([1, []])
  expect(stderr).toContain('handbill login')
})

own('the configuration in docs/mcp.md lists the tools', async () => {
  const text = await Bun.file(join(import.meta.dir, '../docs/mcp.md')).text()
  const chapter = text.slice(text.indexOf('## Any other client'), text.indexOf('## Tools'))
  const lines = [...chapter.matchAll(/```sh\n(.+?)```/gs)].map(([, line]) => line!)
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    const here = line
      .replace('https://pages.example.com', server.url)
      .replace('| handbill', `| ${handbill}`)
    const env = {
      PATH: process.env.PATH,
      HANDBILL_URL: server.url,
      HANDBILL_API_KEY: server.keys.pro,
    }
    const child = Bun.spawn(['sh', '-c', here], {
      cwd: folder,
      env,
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const answer = JSON.parse(await new Response(child.stdout).text())
    expect(answer.result.tools.length).toBeGreaterThan(10)
  }
})

async function piped(messages: string[], more: Record<string, string> = {}) {
  const child = Bun.spawn([handbill, 'mcp'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      HANDBILL_URL: server.url,
      HANDBILL_API_KEY: server.keys.pro,
      ...more,
    },
    stdin: new Blob(messages.map((message) => `${message}\n`)),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { code: await child.exited, lines: lines.map((line) => JSON.parse(line)), stderr }
}
