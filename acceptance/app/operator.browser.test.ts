import { expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { becomes } from '../browser.ts'
import { expectRefusal } from '../expect.ts'
import { person } from '../gates/person.ts'
import { newEmail, newOwner } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

test(
  'an operator sees the health, makes an account with a plan, and reads a mail that was not sent',
  async () => {
    const { tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
      isOperator: true,
    })
    await open('/app/admin')
    await tab.getByRole('heading', { name: 'Database', exact: true }).waitFor()
    const stored = tab.getByRole('region', { name: 'Stored' })
    for (const fact of ['Accounts', 'Pages', 'Files', 'Responses', 'Database on disk']) {
      await stored.getByText(fact, { exact: true }).waitFor()
    }
    await expectAccessible()
    await tab.getByRole('link', { name: 'Accounts' }).click()
    const email = newEmail('somebody-with-an-address-of-many-words')
    await tab.getByRole('button', { name: 'New account' }).click()
    await tab.getByLabel('Email').fill(email)
    await tab.getByText('handbill account sign-in EMAIL').waitFor()
    await tab.getByRole('dialog').getByLabel('Plan').selectOption('Pro')
    await tab.getByRole('button', { name: 'Make the account' }).click()
    await tab.getByText(`${email} has an account`).waitFor()
    await tab.getByRole('searchbox', { name: 'Search accounts' }).fill(email)
    const plan = tab.getByLabel(`Plan of ${email}`)
    await plan.selectOption('Team')
    await tab.getByText(`${email} has the plan Team`).waitFor()
    await expectAccessible()
    await tab.setViewportSize({ width: 320, height: 640 })
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await tab.setViewportSize({ width: 1280, height: 800 })
    const guest = newEmail('a-guest-with-an-address-of-many-words')
    const who = person()
    await who.submit(await who.open('/app/sign-in'), { email: guest })
    await tab.getByRole('navigation', { name: 'Operator' }).getByText('Outbox').click()
    const read = tab.getByRole('button', { name: new RegExp(`Read .*${guest}`) })
    await read.waitFor()
    await tab.getByText('Not sent').first().waitFor()
    expect(await tab.getByText('Sent', { exact: true }).count()).toBe(0)
    await tab.setViewportSize({ width: 320, height: 640 })
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await tab.setViewportSize({ width: 1280, height: 800 })
    await read.click()
    await tab.getByRole('dialog').getByText(`To ${guest}`).waitFor()
    await expectAccessible()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an operator takes a page down and gives it back; its owner and others have no such screen',
  async () => {
    const by = await newOwner()
    const title = word('bad')
    const page = await by.publish({ html: html('words', title) })
    const { tab, open } = await openDashboard(browser(), { isOperator: true })
    await open('/app/admin/pages')
    await tab.getByRole('searchbox', { name: 'Search all pages' }).fill(title)
    await tab.getByRole('button', { name: `Take down ${title}` }).click()
    await tab.getByLabel('Reason').fill('It asks for passwords of a bank')
    await tab.getByRole('button', { name: 'Take page down' }).click()
    await tab.getByText('It asks for passwords of a bank').waitFor()
    const taken = await fetch(page.url)
    expect(taken.status).not.toBe(200)
    expect(await taken.text()).not.toContain(title)
    await tab.getByRole('button', { name: `Give back ${title}` }).click()
    await tab.getByRole('button', { name: `Take down ${title}` }).waitFor()
    expect((await fetch(page.url)).status).toBe(200)
    await tab.context().close()

    const other = await openDashboard(browser())
    await other.open('/app/admin')
    await other.tab.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    expect(await other.tab.getByRole('link', { name: 'Operator' }).count()).toBe(0)
    await other.tab.context().close()
  },
  TIMEOUT,
)

test(
  'an operator suspends an account, is told what stops, and undoes it whole',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('words of the page') })
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
      isOperator: true,
    })
    await open('/app/admin/accounts')
    const search = tab.getByRole('searchbox', { name: 'Search accounts' })
    const suspend = tab.getByRole('button', { name: `Suspend: ${by.email}` })
    await search.fill(owner.email)
    expect(await tab.getByRole('button', { name: `Suspend: ${owner.email}` }).isDisabled()).toBe(
      true,
    )
    let requests = 0
    tab.on('request', (request) => {
      if (/accounts\?.*search=/.test(request.url())) requests += 1
    })
    await search.fill('')
    await search.pressSequentially(by.email)
    const others = tab.getByRole('button', { name: `Suspend: ${owner.email}` })
    await others.waitFor({ state: 'detached' })
    await suspend.click()
    expect(requests, 'not one for each key').toBeLessThan(by.email.length)
    expect(requests).toBeGreaterThan(0)
    const dialog = tab.getByRole('dialog', { name: 'Suspend this account?' })
    for (const words of [by.email, '1 live page', 'API keys', 'Nothing is deleted']) {
      await dialog.getByText(words).waitFor()
    }
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
    expect((await fetch(page.url)).status).toBe(200)

    await suspend.click()
    await dialog.getByRole('button', { name: 'Suspend account' }).click()
    const undo = tab.getByRole('button', { name: `Undo suspension: ${by.email}` })
    await undo.waitFor()
    await tab.getByText(/^Suspended/).waitFor()
    const closed = await fetch(page.url)
    expect([closed.status, (await closed.text()).includes('words of the page')]).toEqual([
      410,
      false,
    ])
    expectRefusal(await by.call('GET', '/pages'), 403, 'account_suspended')
    await expectAccessible()
    await tab.setViewportSize({ width: 320, height: 640 })
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await tab.setViewportSize({ width: 1280, height: 800 })

    await open('/app/admin/pages')
    await tab.getByRole('searchbox', { name: 'Search all pages' }).fill(page.slug)
    await tab.getByText('Not served: its account is suspended').waitFor()
    await expectAccessible()
    const visitor = await tab.context().browser()!.newContext({ reducedMotion: 'reduce' })
    const window = await visitor.newPage()
    await window.goto(page.url)
    await window.getByRole('heading', { name: 'This page is not available' }).waitFor()
    await visitor.close()

    await open('/app/admin/accounts')
    await search.fill(by.email)
    await undo.click()
    await suspend.waitFor()
    expect((await fetch(page.url)).status).toBe(200)
    expect((await by.call('GET', '/pages')).status).toBe(200)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an operator tries a mail server before it is set, and downloads a backup',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
      isOperator: true,
    })
    await open('/app/admin/settings')
    const mail = tab.getByRole('region', { name: 'Mail' })
    await mail.getByText('No mail server is set, so nobody gets mails').waitFor()
    const taken: string[] = []
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, { envelope }, done) {
        stream.resume()
        stream.on('end', () => {
          taken.push(...envelope.rcptTo.map(({ address }) => address))
          done(null, 'queued for tomorrow' as never)
        })
      },
    })
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as { port: number }
    await mail.getByLabel('Mail server').fill('127.0.0.1')
    await mail.getByLabel('Port').fill(String(port))
    await mail.getByLabel('Send a test to').fill(owner.email)
    await mail.getByRole('button', { name: 'Send a test mail' }).click()
    await mail.getByText('took the mail. It answered:').waitFor()
    await mail.getByText('queued for tomorrow').waitFor()
    expect(taken).toEqual([owner.email])
    await new Promise<void>((resolve) => smtp.close(resolve))
    await mail.getByRole('button', { name: 'Send a test mail' }).click()
    await mail.getByText('did not take the mail:').waitFor()
    await expectAccessible()
    await tab.setViewportSize({ width: 320, height: 640 })
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await tab.setViewportSize({ width: 1280, height: 800 })

    const downloading = tab.waitForEvent('download')
    await tab.getByRole('button', { name: 'Download a backup' }).click()
    const backup = await downloading
    expect(backup.suggestedFilename()).toMatch(/^handbill-.*\.zip$/)
    expect(await backup.failure()).toBeNull()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'of two changes that an operator makes at once, both are shown, whichever is answered first',
  async () => {
    const { tab, open } = await openDashboard(browser(), { isOperator: true })
    await open('/app/admin/settings')
    let isFirst = true
    await tab.route(/\/app\/api\/operator\/settings$/, async (route) => {
      const isHeld = isFirst && route.request().method() === 'PATCH'
      if (isHeld) isFirst = false
      const response = await route.fetch()
      if (isHeld) await Bun.sleep(1000)
      await route.fulfill({ response })
    })
    const months = tab.getByLabel('Names and addresses are kept for')
    const signup = tab.getByLabel('Who may make an account')
    const before = [await signup.inputValue(), await months.inputValue()] as const
    await signup.selectOption('invite')
    await months.selectOption('6')
    await becomes(() => months.isEnabled(), true)
    await becomes(() => signup.isEnabled(), true)
    expect([await signup.inputValue(), await months.inputValue()]).toEqual(['invite', '6'])
    await signup.selectOption(before[0])
    await becomes(() => signup.isEnabled(), true)
    await months.selectOption(before[1])
    await becomes(() => months.isEnabled(), true)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'an operator gives the server a name and a colour, which its pages have at once',
  async () => {
    const { tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
      isOperator: true,
    })
    await open('/app/admin/settings')
    const look = tab.getByRole('region', { name: 'Name and colour' })
    try {
      await look.getByLabel('Name of the server').fill('Example Pages')
      await look.getByLabel('Name of the server').press('Enter')
      await tab.getByText('Saved').waitFor()
      await look.getByRole('radio', { name: 'Teal' }).press('Space')
      await look.getByText('Teal.').waitFor()
      await expectAccessible()
      await tab.reload()
      await tab.getByRole('link', { name: 'Example Pages' }).waitFor()
      expect(await tab.title()).toEndWith('· Example Pages')
      expect(await tab.evaluate(() => document.documentElement.dataset.accent)).toBe('teal')
    } finally {
      await look.getByLabel('Name of the server').fill('')
      await look.getByLabel('Name of the server').press('Enter')
      await look.getByRole('radio', { name: 'Blue' }).press('Space')
      await look.getByText('Blue.').waitFor()
    }
    await becomes(async () => (await (await fetch(server.url)).text()).includes('>Handbill<'), true)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
