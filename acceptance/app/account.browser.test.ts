import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { dataOf, ownerOf } from '../client.ts'
import { expectRefusal } from '../expect.ts'
import { violationsIn } from '../gates/axe.ts'
import { signedIn } from '../gates/setup.ts'
import { html, htmlOfSize, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

test(
  'a key is made, shown once, and revoked',
  async () => {
    const { tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    await open('/app/developer')
    const name = word('laptop')
    const agent = word('agent')
    await tab.getByLabel('Key name').fill(agent)
    await tab.getByText('Limit what it may do').click()
    await tab.getByLabel('Make and change pages').uncheck()
    await tab.getByLabel('It ends').selectOption('In 30 days')
    await tab.getByLabel('Only feedback of confirmed people').check()
    await tab.getByRole('button', { name: 'Create key' }).click()
    const limited = ownerOf(await tab.getByLabel('API key', { exact: true }).inputValue())
    expectRefusal(await limited.call('GET', '/inbox'), 403, 'scope_missing')
    expectRefusal(await limited.call('POST', '/pages', { html: 'x' }), 403, 'scope_missing')
    const row = tab.getByRole('listitem').filter({ hasText: agent })
    await row.getByText('pages:read feedback:read, only feedback of confirmed people').waitFor()
    expect(await tab.getByLabel('Only feedback of confirmed people').isChecked()).toBe(false)
    await tab.getByLabel('Key name').fill(name)
    await tab.getByRole('button', { name: 'Create key' }).click()
    await tab.getByRole('button', { name: `Revoke ${name}` }).waitFor()
    const field = tab.getByLabel('API key', { exact: true })
    const key = await field.inputValue()
    expect(key).toMatch(/^sm_[0-9A-Za-z]{40}$/)
    expect(await field.getAttribute('readonly')).not.toBeNull()
    const program = ownerOf(key)
    dataOf(await program.call('GET', '/account'))
    await tab.getByRole('tab', { name: 'curl' }).click()
    expect(await tab.getByRole('tabpanel').innerText()).toContain(key)
    await expectAccessible()
    await tab.reload()
    await tab.getByText(name).waitFor()
    expect(await tab.content()).not.toContain(key)
    await tab.getByRole('button', { name: `Revoke ${name}` }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await tab.getByText('Key revoked').waitFor()
    expect((await program.call('GET', '/account')).status).toBe(401)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the account shows its plan with what is used, saves its name, and signs other browsers and itself out',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    await signedIn(owner.email)
    await owner.publish({ html: htmlOfSize(2 * 1024 * 1024) })
    await open('/app/account')
    await tab.getByRole('heading', { name: 'Plan: Pro' }).waitFor()
    await tab.getByText('2 MB of 20 GB').waitFor()
    expect(await tab.getByText('that no page has yet').count()).toBe(0)
    await tab.getByLabel('Name').fill('Ann <b>Example</b>')
    await tab.getByLabel('Name').press('Enter')
    await tab.getByText('Saved').waitFor()
    await tab.getByRole('switch', { name: 'Mails about your pages' }).click()
    await expectAccessible()
    await tab.getByRole('button', { name: 'Sign out all other browsers' }).click()
    await tab.getByText('1 browser signed out').waitFor()
    const { data } = (await owner.call('GET', '/account')).json as {
      data: { name: string; page_mails: boolean }
    }
    expect(data).toMatchObject({ name: 'Ann <b>Example</b>', page_mails: false })
    await tab.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await tab.getByRole('button', { name: 'Make a link' }).waitFor()
    await tab.goBack()
    await tab.getByRole('button', { name: 'Make a link' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an account is deleted once its address was typed, with its pages',
  async () => {
    const { owner, tab, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const page = await owner.publish({ html: html('words') })
    await open('/app/account')
    await tab.getByRole('button', { name: 'Delete account' }).click()
    const dialog = tab.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete account and 1 page' })
    await expectAccessible()
    await dialog.getByRole('textbox').fill('somebody@else.example')
    await confirm.click()
    await dialog.getByRole('alert').waitFor()
    expect((await fetch(page.url)).status).toBe(200)
    await dialog.getByRole('textbox').fill(owner.email)
    await confirm.click()
    await tab.getByRole('button', { name: 'Make a link' }).waitFor()
    expect((await fetch(page.url)).status).toBe(404)
    expect((await owner.call('GET', '/account')).status).toBe(401)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'everything is exported as a zip, which another account imports',
  async () => {
    const from = await openDashboard(browser())
    const title = word('plan')
    await from.owner.publish({ html: html('words', title) })
    await from.open('/app/account')
    const [download] = await Promise.all([
      from.tab.waitForEvent('download'),
      from.tab.getByRole('button', { name: 'Export everything' }).click(),
    ])
    expect(download.suggestedFilename()).toEndWith('.zip')
    const path = await download.path()
    const to = await openDashboard(browser())
    await to.open('/app/account')
    await to.tab.getByLabel('Export to import').setInputFiles(path)
    await to.tab.getByText('1 page imported').waitFor()
    await to.tab.getByRole('link', { name: 'Pages' }).click()
    await to.tab.getByRole('link', { name: title }).waitFor()
    await to.open('/app/account')
    const broken = { name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') }
    await to.tab.getByLabel('Export to import').setInputFiles(broken)
    await to.tab.getByRole('status').getByText(/./).first().waitFor()
    for (const { tab } of [from, to]) await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an owner sets accent and logo, which their gates show',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const page = await owner.publish({ html: html('x'), access: 'password' })
    const gate = server.url + new URL(page.url).pathname
    await open('/app/account')
    await tab.getByLabel('Name', { exact: true }).fill('Ann Li')
    await tab.getByLabel('Name', { exact: true }).press('Enter')
    await tab.getByText('Saved').waitFor()
    const brand = tab.getByRole('region', { name: 'Brand' })
    await brand.getByRole('radio', { name: 'Violet' }).press('Space')
    await brand.getByText('Violet.').waitFor()
    const mimeType = 'image/png'
    const field = brand.getByLabel('Add a logo')
    await field.setInputFiles({ name: 'logo.txt', mimeType, buffer: Buffer.from('no picture') })
    await brand.getByText('logo.txt is no picture that this browser can read.').waitFor()
    const drawn = await tab.evaluate(() => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 3000, height: 600 })
      const context = canvas.getContext('2d')!
      context.fillStyle = '#7038ad'
      context.fillRect(0, 0, 3000, 600)
      return canvas.toDataURL('image/png').split(',')[1]!
    })
    await field.setInputFiles({ name: 'a.png', mimeType, buffer: Buffer.from(drawn, 'base64') })
    await brand.getByRole('img', { name: 'Your logo' }).waitFor()
    const { logo, accent } = dataOf<{ logo: string; accent: string }>(
      await owner.call('GET', '/account'),
    )
    expect(accent).toBe('violet')
    await expectAccessible()
    const visitor = await (await browser().newContext({ bypassCSP: true })).newPage()
    await visitor.goto(gate)
    await visitor.getByText('Ann Li shared this with you').waitFor()
    const image = visitor.locator(`img[src="${logo}"]`)
    await becomes(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth), 480)
    expect(await visitor.evaluate(() => document.documentElement.dataset.accent)).toBe('violet')
    expect(await violationsIn(visitor)).toEqual([])
    await visitor.context().close()
    await open('/app/account')
    await tab.getByRole('button', { name: 'Remove the logo' }).click()
    await becomes(async () => (await fetch(server.url + logo)).status, 404)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
