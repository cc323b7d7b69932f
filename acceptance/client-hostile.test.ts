import { afterAll, expect, test } from 'bun:test'
import { pro } from './client.ts'
import { installBrowser, runOnTerminal, type Shell, shellOf } from './client-shell.ts'
import { html, word } from './material.ts'
import { FORM, report, viewer } from './responses/viewer.ts'
import { server } from './server.ts'

const SLOW = 240_000
/** Clears the screen, by a seven-bit and an eight-bit sequence, and reverses the text direction. */
const CONTROL_SEQUENCES = '\u001b[2J\u009b2J\u202e'
/** Characters that control a terminal or the text direction. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

async function onTerminal(shell: Shell, ...args: string[]): Promise<string> {
  const options = { env: { NO_COLOR: '1' }, columns: 200 }
  return (await runOnTerminal(shell, args, options)).shown
}

/** A server on which every page is this one. */
function hostileServer(page: object) {
  const whole = { id: 'pg_1', is_published: true, access: 'link', allowed_emails: [], ...page }
  const running = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const isList = new URL(url).pathname.endsWith('/pages')
      return Response.json({ data: isList ? [whole] : whole, next_offset: null })
    },
  })
  servers.push(running)
  return `http://127.0.0.1:${running.port}`
}
const servers: { stop(closes: boolean): Promise<void> }[] = []
afterAll(() => Promise.all(servers.map((each) => each.stop(true))))

test(
  'responses cannot send control characters to a terminal, nor imitate a respondent',
  async () => {
    const page = await pro.publish({ html: FORM })
    const deep = {
      list: [CONTROL_SEQUENCES, { at: CONTROL_SEQUENCES }],
      who: 'boss@example.com',
      sent: 'never',
    }
    const name = `x${CONTROL_SEQUENCES}`
    const data = { ...deep, [name]: CONTROL_SEQUENCES, remarks: `a\r\n${CONTROL_SEQUENCES}` }
    await viewer().respond(page, data, { name: 'the owner' })
    for (const more of [[], ['--csv'], ['--json'], ['--csv', '--json']]) {
      const text = await onTerminal(shellOf(), 'responses', page.id, ...more)
      expect(text, more.join()).toContain('boss@example.com')
      expect(text, more.join()).not.toMatch(CONTROL_CHARACTERS)
      if (more.length > 0) continue
      expect(text).toMatch(/^sent +who .*values\.who/m)
      const { respondent } = (await report(pro, page)).responses[0]!
      expect(text, 'the given name beside the respondent').toMatch(
        new RegExp(` ${respondent}: the owner`),
      )
    }
    const piped = await shellOf().json<{ responses: { data: object }[] }>('responses', page.id)
    expect(piped.responses[0]!.data).toMatchObject(deep)
    const sent = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
    const csv = await shellOf().run('responses', page.id, '--csv')
    expect(csv.stdout, 'a file is not changed').toBe(sent.text)
  },
  SLOW,
)

test(
  'an error of a hostile server reaches the terminal as plain text, with --json too',
  async () => {
    const attack =
      '\u001b]0;t\u0007\u001b]52;c;eA==\u0007\u001b]8;;http://x/\u0007\u009b2J\u202e\r\n'
    const error = { code: `x${attack}`, message: `no${attack}`, [attack]: attack }
    using server = Bun.serve({
      port: 0,
      fetch: () => Response.json({ error }, { status: 400 }),
    })
    const shell = shellOf()
    shell.env.HANDBILL_URL = `http://127.0.0.1:${server.port}`
    for (const more of [[], ['--json']]) {
      const text = await onTerminal(shell, 'list', ...more)
      expect(text).toContain('handbill: no')
      expect(text).not.toMatch(CONTROL_CHARACTERS)
      const { code, stdout, stderr } = await shell.run('list', ...more)
      expect(code).toBe(1)
      expect(stdout + stderr).not.toMatch(CONTROL_CHARACTERS)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      if (more.length > 0) expect(JSON.parse(stdout).error).toMatchObject(error)
    }
  },
  SLOW,
)

test(
  'an address of a hostile server stays on its line',
  async () => {
    const shell = shellOf()
    const url = `https://x.example/p/x\r\nforged line${CONTROL_SEQUENCES}`
    const title = `a${CONTROL_SEQUENCES}\nb`
    const page = { url, title, access: 'link', views: 1, max_views: null, expires_at: null }
    shell.env.HANDBILL_URL = hostileServer(page)
    for (const words of [['list'], ['get', 'pg_1'], ['open', 'pg_1'], ['status', 'pg_1']]) {
      for (const output of [
        await onTerminal(shell, ...words),
        (await shell.run(...words)).stdout,
      ]) {
        expect(output, words.join()).not.toMatch(/^forged/m)
        expect(output, words.join()).toContain('forged line')
        expect(output, words.join()).not.toMatch(CONTROL_CHARACTERS)
      }
    }
  },
  SLOW,
)

test(
  'an answer without an end is not read on',
  async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let sent = 0
    function endless(status: number) {
      const body = new ReadableStream({
        pull(controller) {
          sent += chunk.byteLength
          controller.enqueue(chunk)
        },
      })
      return new Response(body, { status, headers: { 'content-type': 'application/json' } })
    }
    for (const [status, atMost] of [
      [200, 90],
      [400, 30],
    ] as const) {
      sent = 0
      using server = Bun.serve({ port: 0, fetch: () => endless(status) })
      const shell = shellOf()
      shell.env.HANDBILL_URL = `http://127.0.0.1:${server.port}`
      const { code, stdout, stderr } = await shell.run('list')
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^handbill: .+check the address.+\n$/)
      expect(sent / chunk.byteLength).toBeLessThan(atMost)
    }
  },
  SLOW,
)

test(
  'open starts a browser for http addresses only',
  async () => {
    const shell = shellOf()
    const opened = installBrowser(shell)
    for (const url of [
      'file:///bin/sh',
      '-h',
      '/bin/sh',
      'javascript:alert(1)',
      `x${CONTROL_SEQUENCES}`,
    ]) {
      shell.env.HANDBILL_URL = hostileServer({ url })
      const text = await onTerminal(shell, 'open', 'pg_1')
      expect(text).toContain('No browser was started')
      expect(text).not.toMatch(CONTROL_CHARACTERS)
    }
    expect(opened()).toBe('')
    shell.env.HANDBILL_URL = hostileServer({ url: 'https://pages.example.com/p/x' })
    await onTerminal(shell, 'open', 'pg_1')
    for (let n = 0; n < 50 && opened() === ''; n++) await Bun.sleep(20)
    expect(opened()).toBe('https://pages.example.com/p/x')
  },
  SLOW,
)

test(
  'names that objects inherit work as paths and slugs',
  async () => {
    const shell = shellOf()
    shell.write('constructor/index.html', html('x'))
    shell.write('a.html', html('y'))
    const other = await shell.line('publish', 'a.html')
    const slug = `constructor${word('-')
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '')}`
    const made = await shell.json<{ id: string }>('publish', 'a.html', '--new', '--slug', slug)
    const { stderr } = await shell.run('get', '__proto__')
    expect(stderr).toContain('You have no page __proto__')
    expect((await shell.json<{ id: string }>('get', slug)).id).toBe(made.id)
    expect(other).toStartWith(server.url)
    expect((await shell.run('publish', 'constructor')).code).toBe(0)
  },
  SLOW,
)
