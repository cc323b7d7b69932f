import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { dataOf, free, pro, visitor } from './client.ts'
import { isClientAlone, shellOf, slugOf } from './client-shell.ts'
import { panelOf } from './comments/panel.ts'
import { html, htmlOfSize } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { server } from './server.ts'

const SLOW = 240_000

test(
  'edit and restore say that visitors do not see the draft yet, and how to publish',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: '<p>old</p>' })
    const edit = ['edit', page.id, '--find', 'old', '--replace', 'new']
    const { code, stderr } = await shell.run(...edit)
    expect(code).toBe(0)
    const unpublished =
      'Open to anyone with the link.\n' +
      `Visitors do not see it yet. To publish the draft: handbill publish ${page.id}\n`
    expect(stderr).toBe(unpublished)
    const again = ['edit', page.id, '--find', 'new', '--replace', 'newer', '--publish']
    expect((await shell.run(...again)).stderr).toBe('Open to anyone with the link.\n')
    expect((await shell.run('restore', page.id, '1')).stderr).toBe(unpublished)
  },
  SLOW,
)

test(
  'edit names the file of a deck that has the text',
  async () => {
    const shell = shellOf()
    shell.write('deck/index.html', html('start'))
    shell.write('deck/about.html', html('only here'))
    await shell.run('publish', 'deck')
    const edit = ['edit', 'deck', '--find', 'only here', '--replace', 'x']
    const { code, stderr } = await shell.run(...edit)
    expect(code).toBe(4)
    expect(stderr).toContain('but in about.html: add --file about.html.')
    expect((await shell.run(...edit, '--file', 'about.html')).code).toBe(0)
  },
  SLOW,
)

test('whoami shows the account, its plan and its limits', async () => {
  const account = dataOf<{ email: string }>(await free.call('GET', '/account'))
  const mb = 1024 * 1024
  const output = await shellOf(server.keys.free).json<object>('whoami')
  expect(output).toMatchObject({
    server: server.url,
    email: account.email,
    plan: 'free',
    limits: { file_bytes: 5 * mb, deck_bytes: 5 * mb, link_controls: false },
  })
  const { stdout } = await shellOf(server.keys.free).run('whoami')
  expect(stdout).toContain(`account\t${account.email}\n`)
  expect(stdout).toMatch(/^stored\t[\d.]+ (bytes|KB|MB) of 500 MB$/m)
})

test(
  'content over the cap of the plan is refused before it is sent, in bytes where that is needed',
  async () => {
    const shell = shellOf(server.keys.free)
    shell.write('large.html', htmlOfSize(5 * 1024 * 1024 + 1, 'x'))
    const { code, stdout, stderr } = await shell.run('publish', 'large.html')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      'handbill: The page is 5,242,881 bytes; the Free plan allows 5,242,880 bytes. ' +
        'Nothing was sent.\n',
    )
    const answer = await free.sendUpload(new Uint8Array(6 * 1024 * 1024).fill(32))
    expect(answer.status, 'the server refuses it as well').toBe(413)
  },
  SLOW,
)

test.skipIf(isClientAlone)(
  'a mistyped command or option is answered with the one that was meant',
  async () => {
    const shell = shellOf(null)
    const cases: [string[], string][] = [
      [['pubish', 'a'], 'Did you mean publish?'],
      [['acount', 'list'], 'Did you mean account?'],
      [['account', 'lst'], 'Did you mean account list?'],
      [['publish', 'a', '--expire', '7d'], 'Did you mean --expires?'],
      [['update', 'a', '--max_views', '7'], 'Did you mean --max-views?'],
      [['responses', 'a', '--sinc', '1d'], 'Did you mean --since?'],
      [['account', 'add', 'a@b.example', '--plann', 'pro'], 'Did you mean --plan?'],
    ]
    for (const [words, hint] of cases) {
      const { code, stderr } = await shell.run(...words)
      expect({ code, stderr }, words.join(' ')).toMatchObject({ code: 2 })
      expect(stderr).toContain(hint)
    }
  },
  30_000,
)

test(
  'ls, delete and help are other names of commands',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('x'))
    const url = await shell.line('publish', 'a.html')
    expect((await shell.run('ls')).stdout).toContain(url)
    expect((await shell.run('delete', 'a.html', '--yes')).code).toBe(0)
    expect((await visitor.open(slugOf(url))).status).toBe(404)
    const help = await shell.run('help')
    expect(help.stdout).toBe((await shell.run('--help')).stdout)
    expect((await shell.run('help', 'publish')).stdout).toStartWith('handbill publish PATH')
    const approvals = await shell.run('approvals', '--help')
    expect(approvals.stdout).toContain('\n  handbill approvals request PAGE')
    expect(approvals.stdout).not.toContain('--due')
    expect((await shell.run('help', 'approvals', 'request')).stdout).toContain('\n  --due TIME')
  },
  SLOW,
)

test(
  '--since takes a duration, a date and a time',
  async () => {
    const shell = shellOf()
    const page = await pro.publish({ html: FORM })
    await viewer().respond(page, { age: 7 })
    const count = async (since: string) =>
      (await shell.json<{ responses: object[] }>('responses', page.id, '--since', since)).responses
        .length
    for (const since of ['1d', '2h', '30m', '2026-01-01', '2026-01-01T00:00:00Z']) {
      expect(await count(since), since).toBe(1)
    }
    expect(await count('2999-01-01T00:00:00Z')).toBe(0)
    const wrong = await shell.run('responses', page.id, '--since', 'yesterday')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('--since takes a time such as 30m, 12h, 7d')
  },
  SLOW,
)

test('man prints a manual page that groff takes without a warning, with all that the help has', async () => {
  const shell = shellOf(null)
  const { code, stdout } = await shell.run('man')
  expect(code).toBe(0)
  expect(stdout).toStartWith('.TH HANDBILL 1')
  const words = stdout.replaceAll('\\-', '-')
  const [help = ''] = (await shell.run('--help')).stdout.split('For every command:')
  for (const [, name] of help.matchAll(/^ {2}(handbill [a-z]+(?: [a-z-]+)?)/gm)) {
    expect(words).toContain(`.B "${name}`)
  }
  const options = (await shell.run('publish', '--help')).stdout.matchAll(/^ {2}(--\S+)/gm)
  for (const [, option] of options) expect(words).toContain(`.B "${option}`)
  for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^(\.[A-Z]{1,2}\b|[^.'])/)
  if (Bun.which('groff') === null) return
  const page = shell.write('handbill.1', stdout)
  const groff = Bun.spawnSync(['groff', '-man', '-ww', '-Tutf8', '-Kutf8', page])
  expect({ code: groff.exitCode, stderr: groff.stderr.toString() }).toEqual({ code: 0, stderr: '' })
  // Bold letters are printed twice.
  const text = groff.stdout.toString().replaceAll(/.\x08/gu, '')
  expect(text).toContain('handbill publish PATH')
  expect(text).toContain('--max-views N')
}, 240_000)

test('completion prints a script that the shell accepts, with every command', async () => {
  const shell = shellOf(null)
  for (const name of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await shell.run('completion', name)
    expect(code).toBe(0)
    for (const word of ['publish', 'whoami', 'max-views', 'healthcheck']) {
      expect(stdout, name).toContain(word)
    }
    // For zsh a colon ends the name; fish would show the backslash.
    if (name !== 'bash') expect(stdout).toContain('create, list, revoke (where the server runs)')
    expect(stdout.includes('\\:'), name).toBe(name === 'zsh')
  }
  const path = shell.write('completion.bash', (await shell.run('completion', 'bash')).stdout)
  expect(statSync(path).size).toBeGreaterThan(1000)
  const script = `source '${path}'; COMP_WORDS=(handbill publ); COMP_CWORD=1; _handbill; echo "$COMPREPLY"
    COMP_WORDS=(handbill publish --max); COMP_CWORD=2; _handbill; echo "$COMPREPLY"
    COMP_WORDS=(handbill publish --access pe); COMP_CWORD=3; _handbill; echo "$COMPREPLY"
    COMP_WORDS=(handbill help publ); COMP_CWORD=2; _handbill; echo "$COMPREPLY"
    COMP_WORDS=(handbill account add --plan fr); COMP_CWORD=4; _handbill; echo "$COMPREPLY"`
  const completed = Bun.spawnSync(['bash', '-c', script])
  expect(completed.stdout.toString()).toBe('publish\n--max-views\npeople\npublish\nfree\n')
  expect((await shell.run('completion', 'tcsh')).code).toBe(2)
}, 240_000)

test.skipIf(isClientAlone)(
  'completion knows each command of the help with its second word, and no other',
  async () => {
    const shell = shellOf(null)
    const [, operators = ''] = (await shell.run('--help')).stdout.split('Where the server runs:\n')
    const commands = operators.matchAll(/^ {2}handbill ([a-z]+)(?: ([a-z-]+))?\b/gm)
    const seconds = new Map<string, string[]>([['account', ['export', 'import']]])
    for (const [, first = '', second] of commands) {
      seconds.set(first, [...(seconds.get(first) ?? []), ...(second ? [second] : [])])
    }
    expect([...seconds.keys()]).toEqual(expect.arrayContaining(['serve', 'key', 'doctor']))
    expect(seconds.get('account')).toEqual(expect.arrayContaining(['suspend', 'sign-in']))
    const script = (await shell.run('completion', 'bash')).stdout
    for (const [first, words] of seconds) {
      const [, completed = ''] =
        new RegExp(`^    ${first}\\) words='([^']*)'`, 'm').exec(script) ?? []
      const plain = completed.split(' ').filter((word) => !word.startsWith('--'))
      expect(plain.sort(), first).toEqual(words.sort())
    }
    expect(script).toMatch(/^ {4}key\).* --confirmed-only /m)
  },
  30_000,
)

test(
  'publishing a folder says at which file it opens',
  async () => {
    const shell = shellOf()
    shell.write('site/first.html', html('x'))
    shell.write('site/second.html', html('y'))
    const { code, stderr } = await shell.run('publish', 'site')
    expect(code).toBe(0)
    expect(stderr).toMatch(/The page opens at \w+.html. To open it elsewhere, add --entry/)
    shell.write('site/index.html', html('z'))
    const { stderr: plain } = await shell.run('publish', 'site', '--new')
    expect(plain).toBe('Open to anyone with the link.\nThe page opens at index.html.\n')
    const chosen = await shell.run('publish', 'site', '--entry', 'second.html')
    expect(chosen.stderr).toEndWith('The page opens at second.html.\n')
  },
  SLOW,
)

test('comments lists what viewers wrote, with replies, by state, and with --json all of it', async () => {
  const page = await pro.publish({ html: html('x'), allow_comments: true })
  const path = `/pages/${page.id}/comments`
  const write = async (body: string, more = {}) =>
    dataOf<{ id: string }>(await pro.call('POST', path, { body, ...more }), 201)
  const first = await write('One\ntwo \u001b[31mred')
  await write('A reply', { parent_id: first.id })
  const done = await write('Done')
  await (await panelOf(page)).comment('Hello', { name: 'Bo' })
  await pro.call('PATCH', `${path}/${done.id}`, { state: 'resolved' })
  const shell = shellOf()
  const { stdout } = await shell.run('comments', page.id)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split('\t').at(-1))).toEqual([
    'One two [31mred',
    'A reply',
    'Done',
    'Hello',
  ])
  expect(lines.map((line) => line.split('\t')[2])).toEqual(['owner', 'owner', 'owner', '“Bo”'])
  const open = await shell.json<{ id: string; replies: object[] }[]>(
    'comments',
    page.id,
    '--state',
    'open',
  )
  expect(open).toMatchObject([{ id: first.id, replies: [{ body: 'A reply' }] }, { body: 'Hello' }])
  expect((await shell.run('comments', page.id, '--state', 'new')).code).toBe(2)
})
