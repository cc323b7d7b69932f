import { expect, test } from 'bun:test'
import { type Page, pro, visitor } from './client.ts'
import { isClientAlone, shellOf } from './client-shell.ts'
import { html } from './material.ts'
import { server } from './server.ts'

const SLOW = 240_000

test(
  'publish PAGE makes a draft live, by id, slug and link; unpublish takes it offline',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: html('draft'), publish: false })
    for (const name of [page.id, page.slug, page.url]) {
      expect(await shell.line('publish', name)).toBe(page.url)
      expect((await visitor.open(page.slug)).text).toContain('draft')
      const gone = await shell.json<Page>('unpublish', name)
      expect(gone).toMatchObject({ id: page.id, is_published: false })
      expect((await visitor.open(page.slug)).status).toBe(404)
    }
    const { code, stderr } = await shell.run('publish', 'no-such-page')
    expect(code).toBe(4)
    expect(stderr).toContain('There is no file no-such-page here, and you have no page')
    expect((await shell.run('publish', page.id, '--draft')).code).toBe(2)
  },
  SLOW,
)

test(
  'status shows a page, or those published from the folder',
  async () => {
    const shell = shellOf()
    const empty = await shell.run('status')
    expect(empty.stderr).toContain('Nothing was published from this folder')
    shell.write('a.html', html('x'))
    const url = await shell.line('publish', 'a.html')
    const one = await shell.run('status', 'a.html')
    expect(one.stdout).toContain(
      `link    ${url}\nstate   Published.\naccess  anyone with the link\n`,
    )
    shell.write('site/index.html', html('deck'))
    shell.write('notes/may/b.html', html('y'))
    shell.write('node_modules/c.html', html('z'))
    const [deck, note] = [
      await shell.line('publish', 'site', '--draft'),
      await shell.line('publish', 'notes/may/b.html'),
    ]
    await shell.line('publish', 'node_modules/c.html')
    await shell.run('rm', 'notes/may/b.html')
    expect((await shell.run('status', 'notes/may/b.html')).stdout).toContain('In the trash')
    expect((await shell.run('status')).stdout.trim().split('\n')).toEqual([
      `a.html\tpublished\t0\t${url}`,
      `notes/may/b.html\tin the trash\t0\t${note}`,
      `site\tdraft\t0\t${deck}`,
    ])
    await shell.line('update', 'a.html', '--expires', '2020-01-01')
    expect((await shell.run('status', 'a.html')).stdout).toContain('its link is closed.')
    const record = shell.write('notes/may/.handbill.json', '{"half')
    const { code, stdout, stderr } = await shell.run('status')
    expect([code, stderr]).toEqual([0, `${record} is not valid JSON: mend it, or move it away.\n`])
    expect(stdout.trim().split('\n')).toEqual([
      `a.html\tclosed\t0\t${url}`,
      `site\tdraft\t0\t${deck}`,
    ])
  },
  SLOW,
)

test('a server may be named without a scheme', async () => {
  const { host } = new URL(server.url)
  const shell = shellOf()
  shell.env.HANDBILL_URL = host
  expect((await shell.run('list')).code).toBe(0)
  shell.env.HANDBILL_URL = 'pages.invalid'
  expect((await shell.run('whoami')).stderr).toContain('Cannot reach https://pages.invalid')
}, 240_000)

test('with --json an error is one JSON value on stdout, with the same exit status', async () => {
  const shell = shellOf()
  const cases: [string[], number, string][] = [
    [['get', 'pg_none'], 4, 'page_not_found'],
    [['publish', 'missing.html'], 4, 'file_not_found'],
    [['publish', '/dev/null'], 1, 'failed'],
    [['account', 'import', '/dev'], 1, 'failed'],
    [['publish'], 2, 'wrong_usage'],
    [['nonsense'], 2, 'wrong_usage'],
    [['man', 'publish'], 2, 'wrong_usage'],
    [['approvals', 'request'], 2, 'wrong_usage'],
    [['account', 'import'], 2, 'wrong_usage'],
    [['approvals', 'plan.pdf', '--to', 'ann@example.com'], 2, 'wrong_usage'],
    [['approvals', 'request', 'plan.pdf', '--record'], 2, 'wrong_usage'],
    [['completion', 'nothing'], 2, 'wrong_usage'],
  ]
  for (const [words, status, errorCode] of cases) {
    const { code, stdout, stderr } = await shell.run(...words, '--json')
    const { error } = JSON.parse(stdout)
    expect({ code, error }).toMatchObject({ code: status, error: { code: errorCode } })
    expect(stderr).toContain(error.message)
  }
}, 240_000)

test('what is not there has an exit status of its own, in each group of commands', async () => {
  const shell = shellOf()
  const { id } = await pro.publish({ html: html('x') })
  const cases: [string[], string][] = [
    [['publish', 'missing/report.html'], 'file_not_found'],
    [['unpublish', 'pg_none'], 'page_not_found'],
    [['update', id, 'missing.html'], 'file_not_found'],
    [['edit', id, '--find', 'nowhere', '--replace', 'y'], 'edit_not_found'],
    [['status', 'nothing-like-it'], 'page_not_found'],
    [['restore', id, '99'], 'version_not_found'],
    [['pull', id, '--version', '99'], 'version_not_found'],
    [['rm', 'missing.html'], 'page_not_found'],
    [['account', 'import', 'missing.zip'], 'file_not_found'],
    [['responses', 'pg_none'], 'page_not_found'],
    [['resolve', id, 'cmt_none'], 'comment_not_found'],
    [['verify', 'missing.jws'], 'file_not_found'],
    [['mcp', 'missing-folder'], 'file_not_found'],
  ]
  const ofServer: [string[], string][] = [
    [['key', 'revoke', 'key_none'], 'key_not_found'],
    [['account', 'plan', 'nobody@example.com', 'pro'], 'account_not_found'],
  ]
  const env = { DATA_DIR: shell.folder, DATABASE_URL: '' }
  if (!isClientAlone) {
    expect((await shell.runWith({ env }, 'migrate')).code).toBe(0)
    cases.push(...ofServer)
  }
  for (const [words, errorCode] of cases) {
    const { code, stdout, stderr } = await shell.runWith({ env }, ...words, '--json')
    const { error } = JSON.parse(stdout)
    expect({ code, error }, words.join(' ')).toMatchObject({ code: 4, error: { code: errorCode } })
    expect(stderr.trim().split('\n'), words.join(' ')).toHaveLength(1)
  }
  const elsewhere = await shell.runWith({ env: { HANDBILL_URL: `${server.url}/p` } }, 'get', id)
  expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
  expect(elsewhere.stderr).toContain('not as Handbill does')
}, 240_000)
