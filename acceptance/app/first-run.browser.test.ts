/** The first minute on a new server: from the set-up link to a first page. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violationsIn } from '../gates/axe.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { drop } from './drop.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
afterAll(cleanUp)

/** A new server, and a browser that has followed its set-up link to the empty dashboard. */
async function setUp() {
  const env = freshEnvironment()
  const { output } = await start(env)
  const pattern = /http:\S+\/setup\/[\w-]{43}/
  while (!pattern.test(output())) await Bun.sleep(10)
  const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  await tab.goto(pattern.exec(output())![0])
  await tab.getByRole('textbox', { name: 'Email' }).fill('first@handbill.example')
  await tab.getByRole('textbox', { name: 'Name' }).fill('First')
  await tab.getByRole('button', { name: 'Create the account' }).click()
  await tab.getByRole('heading', { name: 'Drop something' }).waitFor()
  const key = await tab.getByRole('textbox', { name: 'API key' }).inputValue()
  async function titles(): Promise<(string | null)[]> {
    const headers = { authorization: `Bearer ${key}` }
    const listed = await fetch(`${env.BASE_URL}/api/v1/pages`, { headers })
    return ((await listed.json()) as { data: { title: string | null }[] }).data.map(
      ({ title }) => title,
    )
  }
  return { context, tab, problems, key, titles }
}

test(
  'the set-up link leads to a signed-in dashboard with the key, lines to paste, and a first page',
  async () => {
    const { context, tab, problems, key, titles } = await setUp()
    expect(new URL(tab.url()).pathname).toBe('/app')
    expect(key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
    for (const program of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'curl']) {
      await tab.getByRole('tab', { name: program }).click()
      expect(await tab.getByRole('tabpanel').textContent()).toContain(key)
    }
    expect(await violationsIn(tab)).toEqual([])
    await tab.getByRole('textbox', { name: 'HTML' }).fill('<title>Hello</title><h1>Hello</h1>')
    await tab.getByRole('button', { name: 'Continue' }).click()
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
    await tab.getByRole('link', { name: 'Pages', exact: true }).first().click()
    expect(await tab.getByRole('textbox', { name: 'API key' }).inputValue()).toBe(key)
    await tab.getByRole('button', { name: 'I have stored it' }).click()
    await tab.getByRole('textbox', { name: 'API key' }).waitFor({ state: 'detached' })
    expect(await titles()).toEqual(['Hello'])
    expect(problems).toEqual([])
    await context.close()
  },
  TIMEOUT,
)

test(
  'the lines of the empty dashboard publish as they are pasted, and so does a file that is dropped',
  async () => {
    const { context, tab, problems, titles } = await setUp()
    const folder = mkdtempSync(join(tmpdir(), 'handbill-first-run-'))
    const file = join(folder, 'note.html')
    writeFileSync(file, '<!doctype html><title>Note</title><p>A note')
    const paste = async (program: string) => {
      await tab.getByRole('tab', { name: program }).click()
      const text = await tab.getByRole('tabpanel').locator('pre').innerText()
      const { PATH = '' } = process.env
      const shell = Bun.spawn(['bash', '-ec', text.replace('FILE', file)], {
        cwd: folder,
        env: { PATH, HOME: folder },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [stdout, stderr] = await Promise.all([
        new Response(shell.stdout).text(),
        new Response(shell.stderr).text(),
      ])
      expect(await shell.exited, stderr).toBe(0)
      return stdout
    }
    expect(await paste('curl')).toContain('/p/')
    await paste('Command line')
    expect((await titles()).sort()).toEqual(['Hello', 'Note'])
    await drop(tab, ['plan.html', '<!doctype html><title>Plan</title><p>The plan'])
    await tab.getByText('Published. Anyone with the link can open it.').waitFor()
    expect((await titles()).sort()).toEqual(['Hello', 'Note', 'Plan'])
    for (const title of ['Hello', 'Note', 'Plan']) {
      await tab.getByRole('main').getByText(title, { exact: true }).first().waitFor()
    }
    rmSync(folder, { recursive: true })
    expect(problems).toEqual([])
    await context.close()
  },
  TIMEOUT,
)
