import { expect, test } from 'bun:test'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pro } from './client.ts'
import { installBrowser, runOnTerminal, shellOf } from './client-shell.ts'
import { html, htmlOfSize, word } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { server } from './server.ts'

const SLOW = 240_000
const ESCAPE = '\u001b['

test(
  'publish shows on a terminal who can open the page; --open opens a browser',
  async () => {
    const shell = shellOf()
    const opened = installBrowser(shell)
    shell.write('a.html', html('x'))
    const { code, shown } = await runOnTerminal(shell, ['publish', 'a.html', '--open'])
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/^http\S+\/p\/\w+$/m)
    expect(shown).toMatch(/Open to anyone with the link\.\s+.*Published\..*\s+http/)
    expect(shown).toContain(ESCAPE)
    while (opened() === '') await Bun.sleep(5)
    expect(opened()).toBe(/http\S+\/p\/\w+/.exec(shown)![0])
    const plain = await runOnTerminal(shell, ['publish', 'a.html'], { env: { NO_COLOR: '1' } })
    expect(plain.shown).not.toContain(ESCAPE)
  },
  SLOW,
)

test(
  'publish and get describe drafts and expired links correctly',
  async () => {
    const shell = shellOf()
    shell.write('a.html', html('one'))
    expect((await runOnTerminal(shell, ['publish', 'a.html'])).code).toBe(0)
    shell.write('a.html', html('two'))
    const draft = await runOnTerminal(shell, ['publish', 'a.html', '--draft'])
    expect(draft.shown).toContain('nobody sees yet what changed in the draft.')
    expect(draft.shown).not.toContain('Published.')
    const past = ['--expires', '2020-01-01T00:00:00Z']
    const expired = await runOnTerminal(shell, ['publish', 'a.html', ...past])
    expect(expired.shown).toContain('Open to nobody: it expired on 2020-01-01 00:00 UTC.')
    expect(expired.shown).not.toContain('anyone')
    const { shown } = await runOnTerminal(shell, ['get', 'a.html'])
    expect(shown).toMatch(/^expires_at +2020-01-01T/m)
    expect(shown).not.toMatch(/^(max_views|allow_comments|poll_options)/m)
  },
  SLOW,
)

test(
  'an edit without a match, or with several, names the options to change',
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
  'an upload shows a progress bar on a terminal',
  async () => {
    const shell = shellOf()
    shell.write('large.html', htmlOfSize(9_000_000, word()))
    const { code, shown } = await runOnTerminal(shell, ['publish', 'large.html'])
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/Uploading █+░* \d+% of 8\.6 MB/)
    expect(shown).toContain('100%')
  },
  SLOW,
)

test(
  'rm --now names what it deletes, and deletes nothing without a yes',
  async () => {
    const shell = shellOf()
    const title = word('Survey')
    const page = await pro.publish({ html: FORM, title })
    await viewer().respond(page, { age: 7 })
    const goes = '1 response and 1 version go with it. There is no undo.'
    const question = `Delete “${title}” for good? ${goes}`
    const command = ['rm', '--now', page.id]
    const result = await runOnTerminal(shell, command, { answers: [[question, '\r']] })
    expect(result.code).toBe(1)
    expect(result.shown).toContain('Nothing was deleted.')
    expect((await pro.page(page.id)).id).toBe(page.id)
    const gone = await runOnTerminal(shell, command, { answers: [[question, 'y\r']] })
    expect(gone.code, gone.shown).toBe(0)
    expect((await pro.call('GET', `/pages/${page.id}`)).status).toBe(404)
  },
  SLOW,
)

test(
  'publishing a folder asks if a page may lack a file',
  async () => {
    const shell = shellOf()
    shell.write('site/index.html', html('x'))
    shell.write('site/.env', 'x')
    const usual = await runOnTerminal(shell, ['publish', 'site'])
    expect(usual.code, usual.shown).toBe(0)
    symlinkSync('../report.pdf', join(shell.folder, 'site/report.pdf'))
    shell.write('report.pdf', 'x')
    const answers: [string, string][] = [['Publish all the same?', 'n\r']]
    const refused = await runOnTerminal(shell, ['publish', 'site', '--new'], { answers })
    expect(refused.code).toBe(1)
    expect(refused.shown).toContain('Nothing was published.')
    expect((await runOnTerminal(shell, ['publish', 'site', '--yes'])).code).toBe(0)
  },
  SLOW,
)

test(
  'login opens the app, and does not show the pasted key',
  async () => {
    const shell = shellOf(null)
    const opened = installBrowser(shell)
    const { code, shown } = await runOnTerminal(shell, ['login'], {
      env: { HANDBILL_URL: '' },
      answers: [
        ['Address of the server [http://localhost:8787]: ', `${server.url}\r`],
        ['API key (not shown): ', `${server.keys.pro}\r`],
      ],
    })
    expect(code, shown).toBe(0)
    expect(opened()).toBe(`${server.url}/app/developer`)
    expect(shown).toContain(`Signed in to ${server.url}`)
    expect(shown).not.toContain(server.keys.pro)
    expect(shown).not.toContain(server.keys.pro.slice(5, 20))
    const listed = await runOnTerminal(shell, ['list'], { env: { HANDBILL_URL: '' } })
    expect(listed.code, listed.shown).toBe(0)
  },
  SLOW,
)

test(
  'Ctrl+C at a question ends the command',
  async () => {
    const shell = shellOf(null)
    const env = { HANDBILL_URL: '' }
    const answers: [string, string][] = [['Address of the server', '\u0003']]
    expect((await runOnTerminal(shell, ['login'], { env, answers })).code).toBe(130)
    const secret: [string, string][] = [['API key (not shown)', 'sm_abc\u0003']]
    const words = ['login', server.url]
    expect((await runOnTerminal(shell, words, { env, answers: secret })).code).toBe(130)
    expect(existsSync(join(shell.home, '.config'))).toBe(false)
  },
  SLOW,
)

test(
  'the help breaks its lines between words, at the width of the terminal',
  async () => {
    const { code, shown } = await runOnTerminal(shellOf(), ['--help'], { columns: 80 })
    expect(code).toBe(0)
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(shown).toMatch(
      /publish PATH…\|PAGE… +publish a file.+\n {39}pipe\); the draft of a PAGE/,
    )
  },
  SLOW,
)

test(
  'list, versions and responses are tables without control characters',
  async () => {
    const shell = shellOf(server.keys.other)
    const page = await shell.json<{ id: string }>(
      ...['publish', shell.write('a.html', FORM), '--title', word('A title'), '--draft'],
    )
    const list = await runOnTerminal(shell, ['list'])
    expect(list.shown).toMatch(/^title +access +views +link$/m)
    expect(list.shown).toMatch(/^A title\S* +link, draft +0 +http/m)
    const versions = await runOnTerminal(shell, ['versions', page.id])
    expect(versions.shown).toMatch(/^version +source +label +bytes +created$/m)
    const live = await pro.publish({ html: FORM })
    await viewer().respond(live, {
      email: 'a@b.example',
      remarks: 'x\u001b[31mred\u001b]0;t\u0007',
    })
    const responses = await runOnTerminal(shellOf(), ['responses', live.id])
    expect(responses.shown).toMatch(/^sent +who +email/m)
    expect(responses.shown).not.toContain('\u001b')
  },
  SLOW,
)
