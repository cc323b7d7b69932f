import { expect, test } from 'bun:test'
import { base64, html, pdf, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { deck } from './editor.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

/** A page that was published saying `nine`, and whose draft says `ten`. */
async function openPage(tabPath = '', options = {}) {
  const dashboard = await openDashboard(browser(), options)
  const { owner, tab, open } = dashboard
  const page = await owner.publish({ html: html('We open at nine', word('plan')) })
  await owner.edit(page.id, [{ find: 'nine', replace: 'ten' }])
  await open(`/app/pages/${page.id}${tabPath}`)
  return {
    ...dashboard,
    page,
    row: (text: string) => tab.getByRole('listitem').filter({ hasText: text }),
    button: (name: string) => tab.getByRole('button', { name, exact: true }),
  }
}

test(
  'the preview shows what visitors see beside the draft, each in a sandbox, at two widths',
  async () => {
    const { tab, page, owner, problems } = await openPage()
    const live = tab.frameLocator('iframe[title="What visitors see"]')
    const draft = tab.frameLocator('iframe[title="The draft"]')
    await live.getByText('We open at nine').waitFor()
    await draft.getByText('We open at ten').waitFor()
    for (const frame of await tab.locator('iframe').all()) {
      const sandbox = await frame.getAttribute('sandbox')
      expect(sandbox).toContain('allow-scripts')
      expect(sandbox).not.toMatch(/allow-same-origin|allow-top-navigation/)
    }
    await tab.getByText('1 passage differs').click()
    await tab.locator('del', { hasText: 'We open at nine' }).waitFor()
    await tab.locator('ins', { hasText: 'We open at ten' }).waitFor()
    const width = () => draft.locator('html').evaluate(() => innerWidth)
    expect(await width()).toBe(1280)
    await tab.getByRole('radio', { name: 'Phone' }).check({ force: true })
    expect(await width()).toBe(390)
    await tab.getByRole('radio', { name: 'Live' }).check({ force: true })
    await tab.locator('iframe[title="The draft"]').waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Publish', exact: true }).click()
    await live.getByText('We open at ten').waitFor()
    expect((await owner.page(page.id)).views).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'decks, PDFs and drafts that nobody else sees have a preview',
  async () => {
    const { owner, tab, open, problems } = await openDashboard(browser())
    const published = await owner.publish(deck())
    await open(`/app/pages/${published.id}`)
    await tab.frameLocator('iframe').getByText('Opening on May 9').waitFor()
    const file = await owner.publish({ file_base64: base64(pdf('Hello')), filename: 'a.pdf' })
    await open(`/app/pages/${file.id}`)
    await tab.frameLocator('iframe').getByText('of').first().waitFor()
    const draft = await owner.publish({ html: html('only mine'), publish: false })
    await open(`/app/pages/${draft.id}`)
    await tab.getByText('Not published: only you see this draft.').waitFor()
    await tab.frameLocator('iframe').getByText('only mine').waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'versions are compared, named, previewed and restored, and a restore is taken back',
  async () => {
    const { owner, tab, page, row, button, problems } = await openPage('/versions')
    const list = tab.getByRole('list', { name: 'Versions' })
    await list.getByText('Live', { exact: true }).waitFor()
    await tab.getByRole('checkbox', { name: 'Compare version 1' }).check()
    await tab.getByRole('checkbox', { name: 'Compare version 2' }).check()
    await tab.getByRole('heading', { name: /Version 1 to version 2/ }).waitFor()
    await tab.locator('del', { hasText: 'We open at nine' }).waitFor()
    await button('Close the comparison').click()

    const name = word('<b>As sent</b>')
    await row('Published').getByRole('button', { name: 'Name version' }).click()
    await tab.keyboard.type(name)
    await tab.keyboard.press('Enter')
    await row(name).getByText('kept for ever').waitFor()

    const restore = row(name).getByRole('button', { name: 'Restore', exact: true })
    await restore.press('Enter')
    await tab.getByText('Version 1 is the draft now').waitFor()
    expect(await restore.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await owner.draft(page.id)).toContain('nine')
    await tab.getByRole('checkbox', { name: 'Compare version 1' }).check()
    await tab.getByRole('checkbox', { name: 'Compare version 3' }).check()
    await tab.getByText('Both have the same content.').waitFor()
    await button('Undo').click()
    await tab.getByText('Taken back').waitFor()
    expect(await owner.draft(page.id)).toContain('ten')

    await row('Saved')
      .first()
      .getByRole('button', { name: /^More about version/ })
      .click()
    await tab.getByRole('menuitem', { name: 'Restore and publish' }).click()
    await tab.getByText(/^Version \d is live/).waitFor()
    expect(await (await fetch(page.url)).text()).toContain('ten')

    await owner.edit(page.id, [{ find: '</title>', replace: '</title><style></style>' }])
    await tab.reload()
    await tab.getByRole('checkbox').first().check()
    await tab.getByRole('checkbox').nth(1).check()
    await tab.getByText(/^The text that readers see is the same/).waitFor()

    await row(name).getByRole('button', { name: 'More about version 1' }).click()
    await tab.getByRole('menuitem', { name: 'Preview' }).click()
    await tab.frameLocator('iframe[title="Version 1"]').getByText('We open at nine').waitFor()
    await tab.goBack()
    await row(name).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the address, accent and entry of a page are changed, and its link is a QR code',
  async () => {
    const { owner, tab, open, problems } = await openDashboard(browser())
    const page = await owner.publish(deck())
    await open(`/app/pages/${page.id}`)
    const choose = async (item: string) => {
      await tab.getByRole('button', { name: 'More', exact: true }).click()
      await tab.getByRole('menuitem', { name: item }).click()
    }
    await choose('Address and colour')
    const slug = word('plan')
    await tab.getByRole('textbox', { name: 'Address' }).fill(slug)
    await tab.getByText(/Links that you have sent, .*, stop working/).waitFor()
    await tab.getByRole('button', { name: 'Change address' }).click()
    await tab.getByText('The address is changed').waitFor()
    await tab.getByRole('radio', { name: 'Teal' }).click({ force: true })
    await tab.getByRole('radio', { name: 'Teal', checked: true }).waitFor({ state: 'attached' })
    await tab.getByRole('combobox', { name: 'Entry' }).selectOption('team.html')
    await tab.getByText('The draft has another entry. Publish to show it.').waitFor()
    expect(await owner.page(page.id)).toMatchObject({
      slug,
      accent: 'teal',
      entry_path: 'team.html',
      has_unpublished_changes: true,
    })
    await tab.getByRole('button', { name: 'Close' }).click()
    await choose('QR code')
    const code = tab.getByRole('img', { name: /^QR code of http.*/ })
    expect(await code.getAttribute('alt')).toEndWith(`/p/${slug}`)
    for (const type of ['SVG', 'PNG']) {
      const [download] = await Promise.all([
        tab.waitForEvent('download'),
        tab.getByRole('button', { name: `Download ${type}` }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${slug}-qr.${type.toLowerCase()}`)
    }
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'axe finds nothing on preview, versions, a comparison and the details',
  async () => {
    const { tab, page, open, expectAccessible } = await openPage('', { bypassCSP: true })
    await tab.getByText('1 passage differs').click()
    await expectAccessible()
    await open(`/app/pages/${page.id}/versions`)
    await tab.getByRole('checkbox', { name: 'Compare version 1' }).check()
    await tab.getByRole('checkbox', { name: 'Compare version 2' }).check()
    await tab.locator('del').waitFor()
    await expectAccessible()
    for (const item of ['Address and colour', 'QR code']) {
      await tab.getByRole('button', { name: 'More', exact: true }).click()
      await tab.getByRole('menuitem', { name: item }).click()
      await tab.getByRole('dialog').waitFor()
      await expectAccessible()
      await tab.getByRole('button', { name: 'Close', exact: true }).click()
    }
    await tab.context().close()
  },
  TIMEOUT,
)
