import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { html, word } from './material.ts'
import { agent } from './mcp-client.ts'

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'handbill-mcp-')))
const folder = join(outside, 'work')
const words = word('words')

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

test('an unreachable server and an unknown key are explained in the tool’s result', async () => {
  await using lost = await agent('stdio', { url: 'http://127.0.0.1:9' })
  const unreachable = await lost.call('list_pages', {})
  expect([unreachable.isError, unreachable.json.error.code]).toEqual([true, 'unreachable'])
  await using client = await agent('stdio', { key: 'sm_wrong' })
  const refused = await client.call('publish_page', { html: '<p>x' })
  expect([refused.isError, refused.json.error.code]).toEqual([true, 'bad_key'])
})
