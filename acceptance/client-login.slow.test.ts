import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isClientAlone, shellOf } from './client-shell.ts'
import { html, word } from './material.ts'
import { command, ownServer, server } from './server.ts'

const SLOW = 240_000
const unnamed = { HANDBILL_URL: '' }

test(
  'login stores a valid key in a private file, and logout deletes it',
  async () => {
    const shell = shellOf(null)
    const key = server.keys.pro
    const login = ['login', server.url, '--key', '-']
    const { code, stdout, stderr } = await shell.runWith(
      { input: `${key}\n`, env: unnamed },
      ...login,
    )
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' })
    const path = join(shell.home, '.config/handbill/config.json')
    expect(stderr).toContain(path)
    expect(stderr).not.toContain(key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    shell.write('a.html', html('x'))
    const published = await shell.runWith({ env: unnamed }, 'publish', 'a.html')
    expect(published.stdout, published.stderr).toStartWith(server.url)
    const other = { HANDBILL_URL: 'http://127.0.0.1:1' }
    const elsewhere = await shell.runWith({ env: other }, 'list')
    expect(elsewhere.stderr, 'a key is sent to its own server only').toMatch(
      /no API key for .+:1\b/,
    )
    const out = await shell.runWith({ env: unnamed }, 'logout', '--json')
    expect(JSON.parse(out.stdout)).toEqual({ url: server.url, logged_out: true })
    expect(readFileSync(path, 'utf8')).not.toContain(key)
    expect((await shell.runWith({ env: unnamed }, 'list')).stderr).toMatch(/run handbill login/)
  },
  SLOW,
)

test(
  'login stores no invalid key',
  async () => {
    const shell = shellOf(null)
    const cases: [input: string, url: string, message: RegExp][] = [
      ['', server.url, /starts with sm_/],
      ['no key', server.url, /starts with sm_/],
      [`sm_${'0'.repeat(40)}`, server.url, /\(\w*key\w*\)/],
      [server.keys.pro, 'http://127.0.0.1:1', /Cannot reach http:\/\/127\.0\.0\.1:1/],
      [server.keys.pro, 'not an address', /is not the address of a server/],
      [server.keys.pro, `${server.url}/docs`, /check the address/],
    ]
    await Promise.all(
      cases.map(async ([input, url, message]) => {
        const { code, stdout, stderr } = await shell.runWith({ input }, 'login', url, '--key', '-')
        expect({ code, stdout }, url).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(message)
        expect(stderr).not.toContain(server.keys.pro)
      }),
    )
    const spoken = await shell.run('login', server.url, '--key', server.keys.pro)
    expect(spoken.code, 'a key on the command line').toBe(2)
    expect((await shell.run('login', server.url)).stderr).toMatch(/no terminal/)
    expect(existsSync(join(shell.home, '.config'))).toBe(false)
  },
  SLOW,
)

test.skipIf(!server.own)(
  'a missing, wrong or revoked key is one line',
  async () => {
    const { env } = ownServer()
    const email = `${word('person')}@handbill.example`
    await command(env, 'account', 'add', email)
    const made = await command(env, 'key', 'create', email, '--json')
    const { id, key } = JSON.parse(made.stdout) as { id: string; key: string }
    const ended = shellOf(key)
    expect(await ended.json<unknown[]>('list')).toEqual([])
    await command(env, 'key', 'revoke', id)
    const shells = [shellOf(null), shellOf(`sm_${'a'.repeat(40)}`), ended]
    for (const shell of shells) {
      const { code, stdout, stderr } = await shell.run('list')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^handbill: [^\n]+\n$/)
      expect(stderr).not.toContain(key)
    }
  },
  SLOW,
)

test('files in the current folder cannot send the key to another server', async () => {
  const shell = shellOf()
  const requests: string[] = []
  using theirs = Bun.serve({
    port: 0,
    fetch(request) {
      requests.push(request.headers.get('authorization') ?? '')
      return Response.redirect(`${server.url}/api/v1/pages`)
    },
  })
  const [url, env] = [`http://127.0.0.1:${theirs.port}`, { HANDBILL_URL: '' }]
  shell.write('.env', `HANDBILL_URL=${url}\nHTTP_PROXY=${url}\nhttp_proxy=${url}\n`)
  shell.write('bunfig.toml', 'preload = ["./theirs.ts"]\n')
  shell.write('theirs.ts', `await fetch('${url}')`)
  shell.write('a.html', html('x'))
  const memory = { [url]: { 'a.html': { id: '../../x', url } } }
  shell.write('.handbill.json', JSON.stringify(memory))
  for (const words of [['list'], ['publish', 'a.html'], ['get', 'a.html']]) {
    await shell.runWith({ env }, ...words)
    await shell.run(...words)
  }
  expect(requests).toEqual([])
  const { stderr } = await shell.runWith({ env: { HANDBILL_URL: url } }, 'list')
  expect(requests, 'a redirect is not followed').toHaveLength(1)
  expect(stderr).toContain('redirects')
}, 240_000)

test(
  'an unreachable server is named, with what to do',
  async () => {
    const shell = shellOf()
    const env = { HANDBILL_URL: 'http://127.0.0.1:1' }
    const { code, stdout, stderr } = await shell.runWith({ env }, 'list', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error.code).toBe('unreachable')
    expect(stderr).toMatch(/^handbill: Cannot reach http:\/\/127\.0\.0\.1:1\b.+\(unreachable\)\n$/)
  },
  SLOW,
)

test.skipIf(isClientAlone)(
  'every command has a help with an example, and wrong usage is exit status 2',
  async () => {
    const shell = shellOf(null)
    const help = await shell.run('--help')
    const names = [...help.stdout.matchAll(/^ {2}handbill (\w+)/gm)].map(([, name]) => name!)
    const clients = ['login', 'publish', 'update', 'edit', 'list', 'get', 'open', 'versions']
    for (const name of [...clients, 'restore', 'responses', 'rm', 'logout']) {
      expect(names).toContain(name)
      const { code, stdout, stderr } = await shell.run(name, '--help')
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' })
      expect(stdout).toStartWith(`handbill ${name}`)
      expect(stdout.trim().split('\n').at(-1), 'an example').toStartWith(`  handbill ${name}`)
      expect(stdout.split('\n').every((line) => line.length <= 100 || /\s{10}/.test(line))).toBe(
        true,
      )
    }
    const wrong = [['publish'], ['get'], ['restore', 'x'], ['restore', 'x', 'y'], ['list', word()]]
    const more = [
      ['publish', 'a', '--nonsense'],
      ['edit', 'x', '--find', 'a'],
      ['rm', 'a', 'b'],
    ]
    for (const words of [...wrong, ...more]) {
      const { code, stdout, stderr } = await shell.run(...words)
      expect({ code, stdout }, words.join(' ')).toEqual({ code: 2, stdout: '' })
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toEndWith(`See handbill ${words[0]} --help.\n`)
    }
    const { stderr } = await shell.run('nonsense', 'a.html')
    expect(stderr).toBe('handbill: There is no command nonsense. See handbill --help.\n')
    const half = await shell.run('account', 'ad', 'x')
    expect(half.stderr).toStartWith(
      'handbill: handbill account takes add, plan, operator, suspend, forget, sign-in, list, export, import, not ad.',
    )
  },
  240_000,
)
