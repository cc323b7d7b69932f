/** Making pages in the dashboard: typed, pasted, chosen or dropped. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page as Tab } from 'playwright-core'
import { zipOf } from '../../src/testing/zips.ts'
import { visitor } from '../client.ts'
import { html, pdf } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { type Dropped, drop } from './drop.ts'
import { STYLED } from './sharing.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handbill-new-page-'))
}, TIMEOUT)
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

async function paste(tab: Tab, text: string): Promise<void> {
  await tab.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
}

const published = (tab: Tab) => tab.getByRole('region', { name: 'Publishing' })

test(
  'HTML is typed, survives a reload, and is published behind a password',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    await open('/app')
    await tab.getByRole('button', { name: 'New page' }).click()
    await tab
      .getByRole('textbox', { name: 'HTML' })
      .fill(`<title>Plan</title>${STYLED}<form data-service>`)
    await tab.getByText('HTML, “Plan”, 116 bytes. It collects responses.').waitFor()
    await tab.getByRole('textbox', { name: 'Title' }).fill('Own title')
    await tab.getByRole('combobox', { name: 'Who may open it' }).selectOption({
      label: 'Anyone with the password',
    })
    await tab.getByRole('textbox', { name: 'Password' }).fill('blue card')
    await tab.reload()
    expect(await tab.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Own title')
    expect(await tab.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('blue card')
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Own title' }).waitFor()
    await tab.getByText('Published', { exact: true }).waitFor()
    const [page] = (await owner.list()).data
    expect(page).toMatchObject({ title: 'Own title', access: 'password', source: 'upload' })
    expect((await owner.page(page!.id)).password).toBe('blue card')
    await open('/app/new')
    expect(await tab.getByRole('textbox', { name: 'HTML' }).inputValue()).toBe('')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is published offline says so and is kept; a browser that only believes that it is offline publishes',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    await open('/app/new')
    await tab.getByRole('textbox', { name: 'HTML' }).fill('<title>Plan</title>')
    await tab.context().setOffline(true)
    const publish = tab.getByRole('button', { name: 'Publish', exact: true })
    await publish.click()
    await tab.getByText('The server cannot be reached.').first().waitFor()
    await tab.context().setOffline(false)
    await tab.evaluate(() => dispatchEvent(new Event('offline')))
    await publish.click()
    await tab.getByRole('heading', { level: 1, name: 'Plan' }).waitFor()
    expect((await owner.list()).data).toHaveLength(1)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'Markdown becomes a readable page, a title that is taken keeps what was typed, and a draft is seen by nobody',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    await owner.publish({ html: html('words', 'Taken') })
    await open('/app')
    await paste(tab, '# Notes\n\nSome *words*.')
    await tab.getByText('Markdown, shown as a readable page, “Notes”').waitFor()
    await tab.getByRole('textbox', { name: 'Title' }).fill('Taken')
    await tab.getByRole('button', { name: 'Save as draft' }).click()
    await tab.getByRole('alert').waitFor()
    expect(await tab.getByRole('textbox', { name: 'HTML' }).inputValue()).toContain('Some *words*')
    await tab.getByRole('textbox', { name: 'Title' }).fill('')
    await tab.getByRole('button', { name: 'Save as draft' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Notes' }).waitFor()
    const page = (await owner.list()).data.find(({ title }) => title === 'Notes')!
    expect(page.is_published).toBe(false)
    expect(await owner.draft(page.id)).toContain('<em>words</em>')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a file and a folder are chosen, recognised and published',
  async () => {
    mkdirSync(join(folder, 'site/parts'), { recursive: true })
    writeFileSync(join(folder, 'site/index.html'), html('the deck', 'Site'))
    writeFileSync(join(folder, 'site/parts/two.html'), html('two'))
    writeFileSync(join(folder, 'site/.hidden.html'), html('hidden'))
    writeFileSync(join(folder, 'report.pdf'), pdf())
    const { owner, tab, problems, open } = await openDashboard(browser())
    await open('/app/new')
    const field = tab.getByLabel('File', { exact: true })
    // A page is made of a file of any type.
    expect(await field.getAttribute('accept')).toBeNull()
    await field.setInputFiles(join(folder, 'report.pdf'))
    await tab.getByText('report.pdf').waitFor()
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('heading', { level: 1, name: 'report' }).waitFor()
    await open('/app/new')
    await field.setInputFiles(join(folder, 'site/parts/two.html'))
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('heading', { level: 1, name: 'two.html' }).waitFor()
    await open('/app/new')
    await tab.getByLabel('Folder', { exact: true }).setInputFiles(join(folder, 'site'))
    await tab.getByText('3 files').waitFor()
    await tab.getByRole('button', { name: 'Publish' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Site' }).waitFor()
    await tab.getByText('Published. The page opens at index.html. Left out .hidden.html').waitFor()
    const [deck, , file] = (await owner.list()).data
    expect([deck!.kind, deck!.file_count, file!.file?.mime]).toEqual([
      'bundle',
      2,
      'application/pdf',
    ])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a folder that is dropped is a deck without what tools keep, which is named by its folder',
  async () => {
    mkdirSync(join(folder, 'project/node_modules/a'), { recursive: true })
    writeFileSync(join(folder, 'project/index.html'), html('the project', 'Project'))
    writeFileSync(join(folder, 'project/node_modules/a/b.js'), '1')
    const { owner, tab, open } = await openDashboard(browser())
    await open('/app')
    const devtools = await tab.context().newCDPSession(tab)
    const data = { items: [], files: [join(folder, 'project')], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    }
    await published(tab).getByText('Left out node_modules/: it belongs to tools.').waitFor()
    const [page] = (await owner.list()).data
    expect([page!.title, page!.kind]).toEqual(['Project', 'bundle'])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what is dropped on the list is published: files each, parts together, a zip as a deck',
  async () => {
    const { owner, tab, problems, open } = await openDashboard(browser())
    await owner.publish({ html: html('words', 'Earlier') })
    await open('/app')
    await drop(tab, ['one.html', html('one', 'One')], ['two.md', '# Two'])
    await published(tab).getByRole('link', { name: 'One' }).waitFor()
    await published(tab).getByRole('link', { name: 'Two' }).waitFor()
    await drop(tab, ['index.html', html('deck', 'Deck')], ['style.css', 'b{}'])
    await published(tab).getByRole('link', { name: 'Deck' }).waitFor()
    const entries = [{ path: 'z/index.html', content: html('zip', 'Zipped') }]
    await drop(tab, ['site.zip', zipOf(...entries)], ['notes.txt', 'words'])
    await published(tab).getByRole('link', { name: 'Zipped' }).waitFor()
    await published(tab).getByRole('link', { name: 'notes.txt' }).waitFor()
    await tab.getByRole('table').getByRole('link', { name: 'Zipped' }).waitFor()
    const titles = (await owner.list()).data.map(({ title, kind }) => `${title} ${kind}`)
    expect(titles.sort()).toEqual(
      [
        ...['Deck bundle', 'Earlier single', 'One single', 'Two single', 'Zipped bundle'],
        'notes.txt bundle',
      ].sort(),
    )
    const row = published(tab).getByRole('listitem').filter({ hasText: 'Two' })
    await row.getByRole('button', { name: 'Undo' }).click()
    await tab.getByRole('table').getByRole('link', { name: 'Two' }).waitFor({ state: 'detached' })
    expect((await owner.list()).data).toHaveLength(5)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an upload shows its progress, is cancelled without a trace, and goes on after a failure',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    await open('/app')
    const large: Dropped = ['large.html', html('large words', 'Large'), 3_000_000]
    await tab.route('**/app/api/uploads', () => undefined)
    await drop(tab, large)
    await published(tab).getByRole('progressbar', { name: 'Sending large.html' }).waitFor()
    await published(tab).getByRole('button', { name: 'Cancel large.html' }).click()
    await published(tab).waitFor({ state: 'detached' })
    await tab.unroute('**/app/api/uploads')
    await tab.route('**/app/api/uploads', (route) => route.abort())
    await drop(tab, large)
    await published(tab).getByText('The server cannot be reached').waitFor()
    await tab.unroute('**/app/api/uploads')
    expect((await owner.list()).data).toEqual([])
    await published(tab).getByRole('button', { name: 'Try again' }).click()
    await published(tab).getByText('Published. Anyone with the link').waitFor()
    const [page] = (await owner.list()).data
    const answer = await visitor.open(page!.slug)
    expect(answer.text).toContain('large words')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'what the plan does not allow is refused before it is sent',
  async () => {
    const { owner, tab, open } = await openDashboard(browser(), { plan: 'free' })
    let sent = 0
    tab.on('request', (request) => {
      if (request.url().endsWith('/uploads')) sent += 1
    })
    await open('/app')
    await drop(tab, ['large.html', html('x'), 6_000_000])
    await published(tab).getByText('the Free plan allows 5 MB').waitFor()
    expect([sent, (await owner.list()).data]).toEqual([0, []])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'axe finds nothing on the screen of a new page, and where something was dropped',
  async () => {
    const { tab, open, expectAccessible } = await openDashboard(browser(), { bypassCSP: true })
    await open('/app/new')
    await tab.getByRole('textbox', { name: 'HTML' }).fill('<html><img src=a.png>')
    await tab.getByRole('combobox', { name: 'Who may open it' }).selectOption('people')
    await expectAccessible()
    await drop(tab, ['one.html', html('one', 'One')])
    await tab.getByText('one.html').waitFor()
    await expectAccessible()
    await open('/app')
    await drop(tab, ['one.html', html('one', 'One')], ['notes.txt', 'no page'])
    await published(tab).getByRole('link', { name: 'One' }).waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
