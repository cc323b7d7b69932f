import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pro } from './client.ts'
import { shellOf } from './client-shell.ts'
import { html, htmlOfSize, word } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { handbill, server } from './server.ts'

const SLOW = 20_000
const ESCAPE = '\u001b['

type Shell = ReturnType<typeof shellOf>

/** Runs it on a terminal. Types each answer once what it waits for has been shown. */
async function onTerminal(
  shell: Shell,
  words: string[],
  { answers = [], env = {} }: { answers?: [shown: string, typed: string][]; env?: object } = {},
) {
  let shown = ''
  const decoder = new TextDecoder()
  const child = Bun.spawn([handbill, ...words], {
    cwd: shell.folder,
    env: { ...shell.env, PATH: `${shell.folder}/bin:${shell.env.PATH}`, ...env },
    terminal: {
      cols: 100,
      rows: 30,
      data: (_terminal, piece) => {
        shown += decoder.decode(piece, { stream: true })
      },
    },
  })
  for (const [wanted, typed] of answers) {
    while (!shown.includes(wanted) && child.exitCode === null) await Bun.sleep(5)
    child.terminal!.write(typed)
  }
  const code = await child.exited
  await Bun.sleep(20)
  return { code, shown: shown.replaceAll('\r\n', '\n') }
}

/** A browser that only says what it was asked to open. */
function withBrowser(shell: Shell): () => string {
  const path = join(shell.folder, 'bin/xdg-open')
  shell.write('bin/xdg-open', '#!/bin/sh\nprintf %s "$1" >"$0.opened"\n')
  Bun.spawnSync(['chmod', '+x', path])
  return () => (existsSync(`${path}.opened`) ? readFileSync(`${path}.opened`, 'utf8') : '')
}

test(
  'publish says on a terminal who can open the page, with --open in a browser',
  async () => {
    const shell = shellOf()
    const opened = withBrowser(shell)
    shell.write('a.html', html('x'))
    const { code, shown } = await onTerminal(shell, ['publish', 'a.html', '--open'])
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/^http\S+\/p\/\w+$/m)
    expect(shown).toContain('Published. Anyone with the link can open it.')
    expect(shown).toContain(ESCAPE)
    while (opened() === '') await Bun.sleep(5)
    expect(opened()).toBe(/http\S+\/p\/\w+/.exec(shown)![0])
    const plain = await onTerminal(shell, ['publish', 'a.html'], { env: { NO_COLOR: '1' } })
    expect(plain.shown).not.toContain(ESCAPE)
  },
  SLOW,
)

test(
  'what a terminal says of a page is so: a draft is not published, an expired link not open',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('one'))
    expect((await onTerminal(shell, ['publish', 'a.html'])).code).toBe(0)
    shell.write('a.html', html('two'))
    const draft = await onTerminal(shell, ['publish', 'a.html', '--draft'])
    expect(draft.shown).toContain('nobody sees yet what changed in the draft.')
    expect(draft.shown).not.toContain('Published. ')
    const past = ['--expires', '2020-01-01T00:00:00Z']
    const expired = await onTerminal(shell, ['publish', 'a.html', ...past])
    expect(expired.shown).toContain('Its link has expired: nobody but you can open it.')
    expect(expired.shown).not.toContain('Anyone')
    const { shown } = await onTerminal(shell, ['get', 'a.html'])
    expect(shown).toMatch(/^expires_at +2020-01-01T/m)
    expect(shown).not.toMatch(/^(max_views|allow_comments|poll_options)/m)
  },
  SLOW,
)

test(
  'an edit that finds nothing, or too much, is told in options',
  async () => {
    const shell = shellOf()
    shell.write('a.html', '<p>one one</p>')
    await shell.run('publish', 'a.html')
    const edit = (find: string) => shell.run('edit', 'a.html', '--find', find, '--replace', 'x')
    expect((await edit('two')).stderr).toMatch(/^handbill: The text of --find is nowhere.+_found\)/)
    const { code, stderr } = await edit('one')
    expect(code).toBe(1)
    expect(stderr).toContain('add --all. (edit_ambiguous)')
    expect(stderr).not.toContain('replace_all')
  },
  SLOW,
)

test(
  'an upload shows a bar on a terminal',
  async () => {
    const shell = shellOf()
    shell.write('large.html', htmlOfSize(9_000_000, word()))
    const { code, shown } = await onTerminal(shell, ['publish', 'large.html'])
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/Uploading █+░* \d+% of 8\.6 MB/)
    expect(shown).toContain('100%')
  },
  SLOW,
)

test(
  'rm names what it deletes, and deletes nothing unless it is told yes',
  async () => {
    const shell = shellOf()
    const title = word('Survey')
    const page = await pro.publish({ html: FORM, title })
    await viewer().respond(page, { age: 7 })
    const question = `Delete “${title}” and 1 response?`
    const kept = await onTerminal(shell, ['rm', page.id], { answers: [[question, '\r']] })
    expect(kept.code).toBe(1)
    expect(kept.shown).toContain('Nothing was deleted.')
    expect((await pro.page(page.id)).id).toBe(page.id)
    const gone = await onTerminal(shell, ['rm', page.id], { answers: [[question, 'y\r']] })
    expect(gone.code, gone.shown).toBe(0)
    expect((await pro.call('GET', `/pages/${page.id}`)).status).toBe(404)
  },
  SLOW,
)

test(
  'publishing a folder asks where more than the usual is left out',
  async () => {
    const shell = shellOf()
    shell.write('site/index.html', html('x'))
    shell.write('site/.env', 'x')
    const usual = await onTerminal(shell, ['publish', 'site'])
    expect(usual.code, usual.shown).toBe(0)
    shell.write('site/report.docx', 'x')
    const answers: [string, string][] = [['Publish without them?', 'n\r']]
    const refused = await onTerminal(shell, ['publish', 'site', '--new'], { answers })
    expect(refused.code).toBe(1)
    expect(refused.shown).toContain('Nothing was published.')
    expect((await onTerminal(shell, ['publish', 'site', '--yes'])).code).toBe(0)
  },
  SLOW,
)

test(
  'login opens the app, and never shows the key that is pasted',
  async () => {
    const shell = shellOf(null)
    const opened = withBrowser(shell)
    const { code, shown } = await onTerminal(shell, ['login'], {
      env: { HANDBILL_URL: '' },
      answers: [
        ['Address of the server [http://localhost:8787]: ', `${server.url}\r`],
        ['API key (not shown): ', `${server.keys.pro}\r`],
      ],
    })
    expect(code, shown).toBe(0)
    expect(opened()).toBe(`${server.url}/app`)
    expect(shown).toContain(`Signed in to ${server.url}`)
    expect(shown).not.toContain(server.keys.pro)
    expect(shown).not.toContain(server.keys.pro.slice(5, 20))
    const listed = await onTerminal(shell, ['list'], { env: { HANDBILL_URL: '' } })
    expect(listed.code, listed.shown).toBe(0)
  },
  SLOW,
)

test(
  'who stops a question is let go at once',
  async () => {
    const shell = shellOf(null)
    const env = { HANDBILL_URL: '' }
    const answers: [string, string][] = [['Address of the server', '\u0003']]
    expect((await onTerminal(shell, ['login'], { env, answers })).code).toBe(130)
    const secret: [string, string][] = [['API key (not shown)', 'sm_abc\u0003']]
    const words = ['login', server.url]
    expect((await onTerminal(shell, words, { env, answers: secret })).code).toBe(130)
    expect(existsSync(join(shell.home, '.config'))).toBe(false)
  },
  SLOW,
)

test(
  'list, versions and responses are tables to read, without what could steer the terminal',
  async () => {
    const shell = shellOf(server.keys.other)
    const page = await shell.json<{ id: string }>(
      ...['publish', shell.write('a.html', FORM), '--title', word('A title'), '--draft'],
    )
    const list = await onTerminal(shell, ['list'])
    expect(list.shown).toMatch(/^title +access +views +link$/m)
    expect(list.shown).toMatch(/^A title\S* +link, draft +0 +http/m)
    const versions = await onTerminal(shell, ['versions', page.id])
    expect(versions.shown).toMatch(/^version +source +label +bytes +created$/m)
    const live = await pro.publish({ html: FORM })
    await viewer().respond(live, {
      email: 'a@b.example',
      remarks: 'x\u001b[31mred\u001b]0;t\u0007',
    })
    const responses = await onTerminal(shellOf(), ['responses', live.id])
    expect(responses.shown).toMatch(/^sent +who +email/m)
    expect(responses.shown).not.toContain('\u001b')
  },
  SLOW,
)
