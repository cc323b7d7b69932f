import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, word } from './material.ts'
import { FORM, report, viewer } from './responses/viewer.ts'
import { handbill, server } from './server.ts'

const SLOW = 30_000
/** Clears the screen, in the seven-bit and in the eight-bit spelling, and turns what follows. */
const STEERING = '\u001b[2J\u009b2J\u202e'
/** What a terminal would obey; our own muted line apart. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

type Shell = ReturnType<typeof shellOf>

async function onTerminal(shell: Shell, ...words: string[]): Promise<string> {
  let shown = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn([handbill, ...words], {
    cwd: shell.folder,
    env: { ...shell.env, PATH: `${shell.folder}/bin:${shell.env.PATH}`, NO_COLOR: '1' },
    terminal: {
      cols: 200,
      rows: 30,
      data: (_terminal, piece) => {
        shown += decoder.decode(piece, { stream: true })
      },
    },
  })
  await child.exited
  await Bun.sleep(20)
  return shown.replaceAll('\r\n', '\n')
}

/** A browser that only says what it was asked to open. */
function withBrowser(shell: Shell): () => string {
  const path = join(shell.folder, 'bin/xdg-open')
  shell.write('bin/xdg-open', '#!/bin/sh\nprintf %s "$1" >"$0.opened"\n')
  Bun.spawnSync(['chmod', '+x', path])
  return () => (existsSync(`${path}.opened`) ? readFileSync(`${path}.opened`, 'utf8') : '')
}

/** A server that answers every question about pages with this one. */
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
  'what viewers sent cannot steer a terminal, nor pass for who they are, however it is read',
  async () => {
    const page = await pro.publish({ html: FORM })
    const deep = { list: [STEERING, { at: STEERING }], who: 'boss@example.com', sent: 'never' }
    const name = `x${STEERING}`
    const data = { ...deep, [name]: STEERING, remarks: `a\r\n${STEERING}` }
    await viewer().respond(page, data, { name: 'the owner' })
    for (const more of [[], ['--csv'], ['--json'], ['--csv', '--json']]) {
      const shown = await onTerminal(shellOf(), 'responses', page.id, ...more)
      expect(shown, more.join()).toContain('boss@example.com')
      expect(shown, more.join()).not.toMatch(OBEYED)
      if (more.length > 0) continue
      expect(shown).toMatch(/^sent +who +values\.who/m)
      const { respondent } = (await report(pro, page)).responses[0]!
      expect(shown, 'a name beside who it is').toMatch(new RegExp(` ${respondent}: the owner`))
    }
    const piped = await shellOf().json<{ responses: { data: object }[] }>('responses', page.id)
    expect(piped.responses[0]!.data).toMatchObject(deep)
    const sent = await pro.call('GET', `/pages/${page.id}/responses?format=csv`)
    const csv = await shellOf().run('responses', page.id, '--csv')
    expect(csv.stdout, 'a file is what the server sent').toBe(sent.text)
  },
  SLOW,
)

test(
  'open starts a browser for addresses of the web, and nothing else that a server names',
  async () => {
    const shell = shellOf()
    const opened = withBrowser(shell)
    for (const url of ['file:///bin/sh', '-h', '/bin/sh', 'javascript:alert(1)', `x${STEERING}`]) {
      shell.env.HANDBILL_URL = hostileServer({ url })
      const shown = await onTerminal(shell, 'open', 'pg_1')
      expect(shown).toContain('No browser was started')
      expect(shown).not.toMatch(OBEYED)
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
  'a name that every object inherits is a path or a slug like any other',
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
