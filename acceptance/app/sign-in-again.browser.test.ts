/** What asks for a sign-in of the last hour, in the app: it waits for one, and then goes on. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { newOwner } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { ownServer, server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const FOLDER = process.env.SCREENSHOTS
const { openSharing } = sharing()
const browser = testBrowser()
/** The tests write into its database. */
const HAS_FILE = server.own !== undefined && process.env.DATABASE_URL === undefined

/** Makes the sign-ins of an account two hours old. */
function ageSignIns(email: string): void {
  using db = new Database(join(ownServer().dataDir, 'handbill.db'), { readwrite: true })
  db.run('PRAGMA busy_timeout = 20000')
  const before = new Date(Date.now() - 2 * 60 * 60_000).toISOString().replace('Z', '000Z')
  const ofAccount = 'account_id = (SELECT id FROM accounts WHERE email = ?)'
  db.run(`UPDATE sessions SET created_at = ? WHERE ${ofAccount}`, [before, email])
}

const dialogIn = (tab: Tab) => tab.getByRole('dialog', { name: 'Confirm it is you' })

/** Has a link mailed from the dialog, in the tab that opens for it. */
async function askForMail(tab: Tab, email: string) {
  const before = sharedOutbox().sentTo(email).length
  const opening = tab.waitForEvent('popup')
  await dialogIn(tab).getByRole('button', { name: 'Make a link' }).click()
  const opened = await opening
  await opened.getByRole('heading', { name: 'Ask for your link' }).waitFor()
  return { opened, mail: await sharedOutbox().last(email, before + 1) }
}

/** Comes back from the other tab. */
async function comeBack(tab: Tab, opened: Tab): Promise<void> {
  await opened.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await opened.close()
  await tab.evaluate(() => dispatchEvent(new Event('focus')))
}

test.skipIf(!HAS_FILE)(
  'opening a page to everyone waits for a newer sign-in, and goes on by itself after the code',
  async () => {
    const { tab, owner, choose, stored, saved, dialog, expectAccessible } = await openSharing(
      { access: 'private' },
      { bypassCSP: true },
    )
    ageSignIns(owner.email)
    await choose('Anyone with the password')
    await saved()
    await choose('Only you')
    await saved()
    await choose('Anyone with the link')
    await dialogIn(tab).waitFor()
    expect(await stored('access')).toEqual(['private'])
    await expectAccessible()
    if (FOLDER !== undefined) await takePictures(tab)
    await dialogIn(tab).getByRole('button', { name: 'I have signed in' }).click()
    await dialogIn(tab).getByText('This browser has not signed in yet.').waitFor()

    const { opened, mail } = await askForMail(tab, owner.email)
    await opened.getByLabel('Code').fill(mail.code!)
    await opened.getByRole('button', { name: 'Confirm' }).click()
    expect(await stored('access')).toEqual(['private'])
    await comeBack(tab, opened)
    await dialogIn(tab).waitFor({ state: 'detached' })
    await saved()
    expect(await stored('access')).toEqual(['link'])
    expect(await dialog.getByRole('radio', { name: 'Anyone with the link' }).isChecked()).toBe(true)
    await tab.context().close()
  },
  TIMEOUT,
)

test.skipIf(!HAS_FILE)(
  'who closes the dialog has changed nothing, and reads why',
  async () => {
    const { tab, owner, choose, stored, dialog } = await openSharing({ access: 'private' }, {})
    ageSignIns(owner.email)
    await choose('Anyone with the link')
    await dialogIn(tab).getByRole('button', { name: 'Close' }).click()
    await dialog.getByText('You signed in more than an hour ago.').waitFor()
    expect(await dialog.getByRole('radio', { name: 'Only you' }).isChecked()).toBe(true)
    expect(await stored('access')).toEqual(['private'])
    await tab.context().close()
  },
  TIMEOUT,
)

test.skipIf(!HAS_FILE)(
  'an operator’s reason for a takedown is kept while they sign in by the link of the mail',
  async () => {
    const by = await newOwner()
    const title = word('bad')
    const page = await by.publish({ html: html('words', title) })
    const { tab, open, owner } = await openDashboard(browser(), { isOperator: true })
    await open('/app/admin/pages')
    ageSignIns(owner.email)
    await tab.getByRole('searchbox', { name: 'Search all pages' }).fill(title)
    await tab.getByRole('button', { name: `Take down ${title}` }).click()
    await tab.getByLabel('Reason').fill('It asks for passwords of a bank')
    await tab.getByRole('button', { name: 'Take page down' }).click()
    const { opened, mail } = await askForMail(tab, owner.email)
    expect((await fetch(page.url)).status).toBe(200)
    await opened.goto(mail.links[0]!)
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await comeBack(tab, opened)
    await tab.getByText('Taken down', { exact: true }).waitFor()
    await tab.getByText('It asks for passwords of a bank').waitFor()
    expect((await fetch(page.url)).status).not.toBe(200)
    await tab.context().close()
  },
  TIMEOUT,
)

test.skipIf(!HAS_FILE)(
  'an export waits for a newer sign-in, and its address alone gives nothing',
  async () => {
    const { tab, open, owner } = await openDashboard(browser())
    await owner.publish({ html: html('words', word('title')) })
    await open('/app/account')
    ageSignIns(owner.email)
    const direct = await tab
      .context()
      .request.get(`${new URL(tab.url()).origin}/app/account/export`)
    expect([direct.status(), await direct.text()]).toEqual([
      403,
      expect.stringContaining('You signed in more than an hour ago.'),
    ])
    await tab.getByRole('button', { name: 'Export everything' }).click()
    const { opened, mail } = await askForMail(tab, owner.email)
    await opened.getByLabel('Code').fill(mail.code!)
    await opened.getByRole('button', { name: 'Confirm' }).click()
    await opened.getByRole('heading', { name: 'You are signed in' }).waitFor()
    const downloading = tab.waitForEvent('download')
    await dialogIn(tab).getByRole('button', { name: 'I have signed in' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/^handbill-.*\.zip$/)
    await becomes(() => tab.url(), `${new URL(tab.url()).origin}/app/account`)
    await tab.context().close()
  },
  TIMEOUT,
)

/** At 1440 and 390 px, light and dark. */
async function takePictures(tab: Tab): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await tab.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.screenshot({ path: join(FOLDER!, `sign-in-again-${width}-${colorScheme}.png`) })
    }
  }
}
