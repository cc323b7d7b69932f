/** The files of a page in the dashboard: a PDF or image is replaced, and content is downloaded. */
import { afterAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page as Tab } from 'playwright-core'
import { filesInZip } from '../../src/testing/zip.ts'
import type { Page } from '../client.ts'
import { base64, html, pdf, png, word } from '../material.ts'
import { cleanUp } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { drop } from './drop.ts'
import { deck } from './editor.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
afterAll(cleanUp)

const BEFORE = pdf('before')
const AFTER = pdf('after')
/** PDF.js says this in the frame of a preview that is being removed, which has no layout. */
const OF_REMOVED_FRAME = 'offsetParent is not set -- cannot scroll'
const expectNo = (problems: string[]) =>
  expect(problems.filter((problem) => problem !== OF_REMOVED_FRAME)).toEqual([])
const liveBytes = async ({ url }: Page) => Buffer.from(await (await fetch(url)).arrayBuffer())

/** A PDF page with its editor open. */
async function opened({ bypassCSP = false } = {}) {
  const dashboard = await openDashboard(browser(), { bypassCSP })
  const { owner, tab, open } = dashboard
  const page = await owner.publish({ file_base64: base64(BEFORE), filename: 'report.pdf' })
  await open(`/app/pages/${page.id}`)
  await tab.getByRole('link', { name: 'Edit', exact: true }).click()
  await tab.getByText('report.pdf,').waitFor()
  return {
    ...dashboard,
    page,
    says: (text: string) => tab.getByText(text).first().waitFor(),
    button: (name: string) => tab.getByRole('button', { name, exact: true }),
    choose: (name: string, bytes: Uint8Array) =>
      tab
        .getByLabel('Replace file')
        .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) }),
    read: async () => (await owner.call('GET', `/pages/${page.id}`)).json as { data: Page },
  }
}

test(
  'the file of a PDF page is replaced: a draft first, which visitors see once it is published',
  async () => {
    const { owner, tab, page, choose, says, button, read, problems } = await opened()
    await says('Saved and published')
    expect(await button('Publish').isDisabled()).toBe(true)
    await choose('second.pdf', AFTER)
    await button('Update this page').click()
    await button('Keep as a draft').click()
    await says('second.pdf,')
    await says('Saved, not published yet')
    expect((await liveBytes(page)).equals(Buffer.from(BEFORE))).toBe(true)
    const preview = tab.frameLocator('iframe[title="The draft"]')
    await preview.locator('.textLayer').getByText('after').waitFor()
    await button('Publish').click()
    await says('Saved and published')
    expect((await liveBytes(page)).equals(Buffer.from(AFTER))).toBe(true)
    const { data } = await read()
    expect(data).toMatchObject({ url: page.url, file: { name: 'second.pdf' } })
    expect(await owner.versions(page.id)).toHaveLength(2)
    expectNo(problems)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a new file shows its progress, is cancelled without a trace, and goes on after a failure',
  async () => {
    const { owner, tab, page, says, button } = await opened()
    await tab.route('**/app/api/uploads', () => undefined)
    await drop(tab, ['large.pdf', AFTER, 3_000_000])
    await button('Update this page').click()
    await tab.getByRole('progressbar', { name: 'Sending large.pdf' }).waitFor()
    await button('Cancel').click()
    await tab.getByRole('progressbar').waitFor({ state: 'detached' })
    await tab.unroute('**/app/api/uploads')
    await tab.route('**/app/api/uploads', (route) => route.abort())
    await button('Update this page').click()
    await says('The server cannot be reached')
    expect(await owner.versions(page.id)).toHaveLength(1)
    await tab.unroute('**/app/api/uploads')
    await button('Update this page').click()
    await button('Keep as a draft').click()
    await says('large.pdf,')
    expect((await liveBytes(page)).equals(Buffer.from(BEFORE))).toBe(true)
    expect(await owner.versions(page.id)).toHaveLength(2)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an image becomes another image, on a phone as well, and axe finds nothing',
  async () => {
    const { owner, tab, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const page = await owner.publish({ file_base64: base64(png()), filename: 'photo.png' })
    await tab.setViewportSize({ width: 390, height: 800 })
    await open(`/app/pages/${page.id}/edit`)
    await tab.getByText('photo.png,').waitFor()
    const name = `${word('a-very-long-name'.repeat(5))}.png`
    await drop(tab, [name, png()])
    await tab.getByRole('button', { name: 'Update this page' }).click()
    await tab.getByRole('button', { name: 'Keep as a draft' }).click()
    await tab.getByText(`${name},`).waitFor()
    const overflow = await tab.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    await expectAccessible()
    await drop(tab, ['page.html', html('x')])
    await tab.getByText('is an image, and page.html is one HTML document.').waitFor()
    expect(await tab.getByRole('button', { name: 'Update this page' }).count()).toBe(0)
    await tab.context().close()
  },
  TIMEOUT,
)

/** Chooses an item of a menu that downloads. */
async function download(tab: Tab, menu: string, item: string) {
  await tab.getByRole('button', { name: menu, exact: true }).click()
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('menuitem', { name: item, exact: true }).click(),
  ])
  return { name: file.suggestedFilename(), bytes: await readFile((await file.path())!) }
}

const namesIn = async (bytes: Buffer) => Object.keys(await filesInZip(bytes)).sort()

test(
  'a deck is downloaded as a zip from its menu, a version from its own, and a PDF as its file',
  async () => {
    const { owner, tab, open, problems } = await openDashboard(browser())
    const title = word('Deck')
    const page = await owner.publish({ ...deck(), title })
    const files = [{ path: 'index.html', html: html('alone') }]
    await owner.update(page.id, { files, assets: [] })
    await open(`/app/pages/${page.id}`)
    const draft = await download(tab, 'More', 'Download the draft as a zip')
    expect([draft.name, await namesIn(draft.bytes)]).toEqual([`${title}.zip`, ['index.html']])
    await tab.getByRole('link', { name: 'Versions' }).click()
    const first = await download(tab, 'More about version 1', 'Download')
    expect(first.name).toBe(`${title} (version 1).zip`)
    expect(await namesIn(first.bytes)).toEqual(['index.html', 'logo.png', 'style.css', 'team.html'])
    const file = await owner.publish({ file_base64: base64(BEFORE), filename: 'report.pdf' })
    await open(`/app/pages/${file.id}`)
    const saved = await download(tab, 'More', 'Download the draft')
    expect(saved.name).toBe('report.pdf')
    expect(saved.bytes.equals(Buffer.from(BEFORE))).toBe(true)
    expectNo(problems)
    await tab.context().close()
  },
  TIMEOUT,
)
