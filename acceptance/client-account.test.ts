/** `handbill account export` and `account import`. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isClientAlone, shellOf } from './client-shell.ts'
import { newOwner, own } from './gates/setup.ts'
import { html, word } from './material.ts'

const SLOW = 240_000

interface Saved {
  path: string
  size_bytes: number
}
interface Imported {
  imported: number
  skipped: number
  failed: number
}

own(
  'account export saves a zip that nobody else can read, and account import takes it',
  async () => {
    const [by, into] = [await newOwner(), await newOwner()]
    const slug = word('moved')
    await by.publish({ html: html('x'), slug })
    const [from, to] = [shellOf(by.key), shellOf(into.key)]
    const { path, size_bytes: size } = await from.json<Saved>('account', 'export', 'all.zip')
    expect(path).toBe(join(from.folder, 'all.zip'))
    expect([statSync(path).size, statSync(path).mode & 0o777]).toEqual([size, 0o600])
    expect(readdirSync(from.folder)).toEqual(['all.zip'])
    const again = await from.run('account', 'export', 'all.zip')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--force')])
    expect((await from.run('account', 'export', 'all.zip', '--force')).code).toBe(0)
    expect((await from.run('account', 'export')).stdout).toMatch(
      /^handbill-\d{4}-\d\d-\d\d\.zip\n$/,
    )
    const done = await to.run('account', 'import', path)
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(slug)])
    expect(done.stdout).toMatch(/imported\s+http/)
    const second = await from.json<Imported>('account', 'import', path)
    expect(second).toMatchObject({ imported: 0, skipped: 1, failed: 0 })
  },
  SLOW,
)

own(
  'account import says what failed, in the table and as JSON, and exits with 1',
  async () => {
    const [by, free] = [await newOwner(), await newOwner(undefined, 'free')]
    const slug = word('limited')
    await by.publish({ html: html('x'), slug, max_views: 3 })
    const from = shellOf(by.key)
    const { path } = await from.json<Saved>('account', 'export', 'all.zip')
    const to = shellOf(free.key)
    const output = await to.run('account', 'import', path)
    expect([output.code, output.stdout]).toEqual([
      1,
      expect.stringContaining('not part of the Free plan'),
    ])
    expect(output.stderr).toBe(
      'handbill: 1 of 1 pages were not imported: nothing of them is kept.\n',
    )
    const { code, stdout } = await to.run('account', 'import', path, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'failed', result: { failed: 1, pages: [{ from_slug: slug }] } },
    })
    to.write('no.zip', 'nothing')
    const refused = await to.run('account', 'import', 'no.zip')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not_an_archive')])
    const missing = await to.run('account', 'import', 'missing.zip')
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('missing.zip')])
  },
  SLOW,
)

test('account export that breaks off, or is cut off in silence, leaves no file', async () => {
  let isBroken = true
  const proxy = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/zip' })
    answer.write('PK\x03\x04 the beginning of a zip', () => {
      if (isBroken) answer.destroy()
      else answer.end()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  try {
    const shell = shellOf('sm_0123456789abcdef0123456789abcdef')
    for (const broken of [true, false]) {
      isBroken = broken
      const env = { HANDBILL_URL: `http://127.0.0.1:${port}` }
      const { code, stderr } = await shell.runWith({ env }, 'account', 'export', 'all.zip')
      expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
      expect(existsSync(join(shell.folder, 'all.zip'))).toBe(false)
      expect(readdirSync(shell.folder)).toEqual([])
    }
  } finally {
    proxy.close()
  }
})

test.skipIf(isClientAlone)(
  'account export and import refuse wrong words, and the operator’s commands are as before',
  async () => {
    const shell = shellOf()
    for (const words of [['import'], ['import', 'a', 'b'], ['export', 'a', 'b'], ['exprot']]) {
      expect([words, (await shell.run('account', ...words)).code]).toEqual([words, 2])
    }
    expect((await shell.run('account', 'exprot')).stderr).toContain('Did you mean account export?')
    const help = await shell.run('account', 'export', '--help')
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--force')])
  },
)
