import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

test(
  'what was typed is saved on the way out, and what cannot be saved is shown before',
  async () => {
    const { tab, dialog, stored } = await openSharing()
    await dialog.getByLabel('Link title').fill('Typed')
    await tab.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => stored('og_title'), ['Typed'])
    await tab.getByRole('button', { name: 'Share' }).click()
    await dialog.getByLabel('View limit').fill('many')
    await tab.keyboard.press('Escape')
    await dialog.getByText('Not saved: View limit.').waitFor()
    expect(await dialog.getByLabel('View limit').inputValue()).toBe('many')
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await dialog.waitFor({ state: 'detached' })
    const focused = () => tab.evaluate(() => document.activeElement?.textContent)
    expect(await focused()).toBe('Share')
  },
  TIMEOUT,
)

test(
  'a session that ends keeps what was typed, and saves it after signing in again',
  async () => {
    const { tab, dialog, stored, saved } = await openSharing({}, {})
    // A read that has not ended yet would find the session gone before anything is typed.
    await tab.waitForLoadState('networkidle')
    const cookies = await tab.context().cookies()
    await tab.context().clearCookies()
    await dialog.getByLabel('Link title').fill('Typed')
    await dialog.getByLabel('Link title').press('Enter')
    const asks = tab.getByRole('dialog', { name: 'You have been signed out' })
    await asks.waitFor()
    await tab.context().addCookies(cookies)
    await asks.getByRole('button', { name: 'I have signed in' }).click()
    await saved()
    expect(await stored('og_title')).toEqual(['Typed'])
  },
  TIMEOUT,
)

test(
  'a server that cannot be reached loses nothing, and the change is saved when it is back',
  async () => {
    const { tab, dialog, stored, saved } = await openSharing()
    await tab.route('**/app/api/pages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await dialog.getByLabel('Link title').fill('Typed')
    await dialog.getByLabel('Link title').press('Enter')
    const again = dialog.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    expect(await dialog.getByLabel('Link title').inputValue()).toBe('Typed')
    await tab.unroute('**/app/api/pages/*')
    await again.click()
    await saved()
    expect(await stored('og_title')).toEqual(['Typed'])
  },
  TIMEOUT,
)

test(
  'axe finds nothing in the dialog with everything unfolded',
  async () => {
    const everything = {
      access: 'people',
      allowed_emails: ['ann@example.com', 'bob@example.com'],
      allow_comments: true,
      collect_approvals: true,
      approver_emails: ['dora@example.com'],
      collect_votes: true,
      poll_question: 'Which?',
      poll_options: ['Blue', 'Green'],
    }
    const { choose, expectAccessible } = await openSharing(everything, { bypassCSP: true })
    await expectAccessible()
    for (const phrase of ['Anyone with the password', 'Anyone who confirms an email']) {
      await choose(phrase)
    }
    await expectAccessible()
  },
  TIMEOUT,
)
