/** `handbill publish --watch`: what is saved appears in the open tab, and visitors see nothing of it. */
import { afterAll, expect, test } from 'bun:test'
import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { addAccounts } from './add-accounts.ts'
import { openDashboard } from './app/dashboard.ts'
import { becomes } from './browser.ts'
import { ownerOf } from './client.ts'
import { shellOf, slugOf } from './client-shell.ts'
import { html, png, word } from './material.ts'
import { command } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'
import { testBrowser } from './test-browser.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
afterAll(cleanUp)

type Shell = ReturnType<typeof shellOf>

/** Starts the command, and collects what it prints. */
async function watch(shell: Shell, env: Record<string, string>, ...args: string[]) {
  const child = shell.start(['publish', ...args, '--watch'], { env })
  const printed = { out: '', err: '' }
  const read = async (stream: ReadableStream<Uint8Array>, name: 'out' | 'err') => {
    const decoder = new TextDecoder()
    for await (const piece of stream) printed[name] += decoder.decode(piece, { stream: true })
  }
  const reading = Promise.all([read(child.stdout, 'out'), read(child.stderr, 'err')])
  await becomes(() => printed.out.endsWith('\n') || child.exitCode !== null, true)
  const id = /\/app\/pages\/([^/]+)\/watch\n$/.exec(printed.out)?.[1]
  if (id === undefined) throw new Error(`no address: ${printed.out}${printed.err}`)
  return {
    id,
    path: new URL(printed.out.trim()).pathname,
    printed,
    /** The lines for saves, without their times. */
    saves: () => printed.err.match(/(?<=^\d\d:\d\d:\d\d )(?:Draft|Published).*$/gm) ?? [],
    async stop(): Promise<number> {
      child.kill('SIGINT')
      const code = await child.exited
      await reading
      return code
    },
  }
}

test(
  'what is saved appears in the open tab as a draft, without a view, and Ctrl-C says how to publish it',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const shell = shellOf(owner.key)
    shell.write('report.html', html('<p>The first.</p>'))
    const url = await shell.line('publish', 'report.html')
    const it = await watch(shell, {}, 'report.html')
    await open(it.path)
    const draft = () => tab.frameLocator('iframe').last()
    await draft().getByText('The first.').waitFor()
    await expectAccessible()

    const tall = '<p style="height: 4000px">Tall</p><img src="pics/a.png">'
    shell.write('report.html', html(`<p>The second.</p>${tall}`))
    await draft().getByText('The second.').waitFor()
    // An editor that saves by a rename, and a file that the page named before it was there.
    const { ino } = await Bun.file(join(shell.folder, 'report.html')).stat()
    shell.write('.report.swp', html(`<p>The third.</p>${tall}`))
    renameSync(join(shell.folder, '.report.swp'), join(shell.folder, 'report.html'))
    expect((await Bun.file(join(shell.folder, 'report.html')).stat()).ino).not.toBe(ino)
    await draft().getByText('The third.').waitFor()
    shell.write('pics/a.png', png())
    await becomes(() => it.saves().length, 3)
    const loads = () =>
      draft()
        .locator('img')
        .evaluate((img) => (img as HTMLImageElement).naturalWidth > 0)
    await becomes(() => loads().catch(() => false), true)

    const before = await owner.page(it.id)
    expect(before).toMatchObject({ kind: 'bundle', views: 0, has_unpublished_changes: true, url })
    const versions = (await owner.versions(it.id)).length
    const now = new Date()
    utimesSync(join(shell.folder, 'report.html'), now, now)
    await Bun.sleep(1500)
    expect(await owner.page(it.id)).toEqual(before)
    expect((await owner.versions(it.id)).length).toBe(versions)
    expect(it.saves()).toEqual([
      'Draft: report.html. 1 warning.',
      'Draft: report.html. 1 warning.',
      'Draft: pics/a.png.',
    ])

    shell.write('report.html', '')
    await becomes(() => it.printed.err.includes('empty'), true)
    shell.write('report.html', html('<p>The last.</p>'))
    await draft().getByText('The last.').waitFor()
    expect(await it.stop()).toBe(130)
    expect(it.printed.err).toEndWith(
      'Published before; nobody sees yet what changed in the draft.\n' +
        `To publish the draft: handbill publish ${it.id}\n`,
    )
    const whole = await fetch(`${new URL(url).origin}/p/${slugOf(url)}`)
    expect(await whole.text()).toContain('The first.')
    // The image that was not there yet.
    expect(problems.filter((each) => !each.includes('ERR_BLOCKED_BY_RESPONSE'))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a folder is followed over a restart of the server, and with --no-draft each save is published',
  async () => {
    const env = freshEnvironment()
    let running = await start(env)
    const email = `${word('owner')}@handbill.example`
    const [key = ''] = await addAccounts(env, [{ email, plan: 'pro' }])
    const by = ownerOf(key, env.BASE_URL)
    const shell = shellOf(key)
    shell.write('site/index.html', html('<p>The first.</p>'))
    shell.write('site/.env', 'KEY=1')
    const it = await watch(shell, { HANDBILL_URL: env.BASE_URL! }, 'site', '--no-draft')
    const { stdout: link } = await command(env, 'account', 'sign-in', email)
    const context = await browser().newContext({ reducedMotion: 'reduce' })
    const tab = await context.newPage()
    await tab.goto(link.trim())
    await tab.getByRole('button').first().click()
    await tab.waitForURL('**/app')
    await tab.goto(env.BASE_URL + it.path)
    const visible = () => tab.frameLocator('iframe').last()
    await visible().getByText('The first.').waitFor()

    expect(await running.stop()).toBe(0)
    shell.write('site/index.html', html('<p>The second.</p><script src="js/a.js"></script>'))
    shell.write('site/js/a.js', 'document.body.append("By the script.")')
    await becomes(() => it.printed.err.includes('This goes on when it answers.'), true, 30_000)
    running = await start(env)
    await visible().getByText('By the script.').waitFor()
    await visible().getByText('The second.').waitFor()
    const page = await by.page(it.id)
    expect(page).toMatchObject({ views: 0, has_unpublished_changes: false, is_published: true })
    expect(await (await fetch(`${page.url}/js/a.js`)).text()).toContain('By the script.')

    shell.write('site/.env', 'KEY=2')
    shell.write('site/index.html', html('<p>The third.</p>'))
    rmSync(join(shell.folder, 'site/js'), { recursive: true })
    await visible().getByText('The third.').waitFor()
    await becomes(() => it.saves().at(-1)?.includes('js/a.js removed'), true)
    expect((await fetch(`${page.url}/js/a.js`)).status).toBe(404)
    expect(it.printed.err.match(/This goes on/g)).toHaveLength(1)
    expect(it.saves()[0]).toBe('Published: index.html, js/a.js.')
    expect(await it.stop()).toBe(130)
    expect(it.printed.err).toEndWith('Published.\n')
    await context.close()
    expect(await running.stop()).toBe(0)
  },
  TIMEOUT,
)

test('--watch is for one file or folder, without --json', async () => {
  const shell = shellOf()
  shell.write('a.html', html('a'))
  shell.write('b.html', html('b'))
  for (const args of [['-'], ['a.html', 'b.html'], ['a.html', '--json'], []]) {
    const { code, stderr } = await shell.run('publish', '--watch', ...args)
    expect([args, code, stderr.split('\n').length]).toEqual([args, 2, 2])
  }
  const { code } = await shell.run('publish', '--watch', 'missing.html')
  expect(code).toBe(4)
})
