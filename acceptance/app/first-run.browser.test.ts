/** The first minute on a new server: from the set-up link to a first page. */
import { afterAll, expect, test } from 'bun:test'
import { violationsIn } from '../gates/axe.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'

const TIMEOUT = 60_000

const browser = testBrowser()
afterAll(cleanUp)

test(
  'the set-up link leads to a signed-in dashboard with the key, lines to paste, and a first page',
  async () => {
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
    expect(new URL(tab.url()).pathname).toBe('/app')
    const key = await tab.getByRole('textbox', { name: 'API key' }).inputValue()
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
    const headers = { authorization: `Bearer ${key}` }
    const listed = await fetch(`${env.BASE_URL}/api/v1/pages`, { headers })
    expect(((await listed.json()) as { data: object[] }).data).toMatchObject([{ title: 'Hello' }])
    expect(problems).toEqual([])
    await context.close()
  },
  TIMEOUT,
)
