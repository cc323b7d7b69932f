import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

test(
  'each of the five sentences is chosen by its radio button, saved at once, and can be undone',
  async () => {
    const { dialog, choose, stored, saved, problems } = await openSharing()
    for (const [phrase, access] of [
      ['Only people you invite', 'people'],
      ['Only you', 'private'],
      ['Anyone with the password', 'password'],
      ['Anyone who confirms an email', 'email_gate'],
      ['Anyone with the link', 'link'],
    ] as const) {
      await choose(phrase)
      await saved()
      await becomes(() => stored('access'), [access])
    }
    await choose('Only you')
    await dialog.getByText('Nobody else can open it any more').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await becomes(() => stored('access'), ['link'])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'many people are invited at once, what is no address stays in the field, and each can be removed',
  async () => {
    const { dialog, choose, stored, problems } = await openSharing()
    await choose('Only people you invite')
    const field = dialog.getByLabel('Invite by email')
    await field.fill('Ann Lee <ann@example.com>, bob@example.com\nnobody@; cem@example.com')
    await field.press('Enter')
    await dialog.getByText('“nobody@” is no email address').waitFor()
    expect(await field.inputValue()).toBe('nobody@')
    const people = ['ann@example.com', 'bob@example.com', 'cem@example.com']
    await becomes(() => stored('allowed_emails'), [people])
    await field.fill('')
    await dialog.getByRole('button', { name: 'Remove bob@example.com' }).click()
    await becomes(() => stored('allowed_emails'), [['ann@example.com', 'cem@example.com']])
    await dialog.getByText('Mail is not set up on this server: copy the link').waitFor()
    expect(await dialog.getByRole('button', { name: /^Copy link for/ }).count()).toBe(2)
    expect(await dialog.getByRole('button', { name: 'Mail everyone the link' }).count()).toBe(0)
    await dialog.getByRole('switch', { name: 'Ask them to sign in' }).click()
    await becomes(() => stored('access', 'require_signin'), ['people', true])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'people whom another tab has invited meanwhile stay invited',
  async () => {
    const { dialog, owner, id, stored } = await openSharing({ access: 'people' })
    await owner.update(id, { allowed_emails: ['ann@example.com'] })
    await dialog.getByLabel('Invite by email').fill('bob@example.com')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await becomes(() => stored('allowed_emails'), [['ann@example.com', 'bob@example.com']])
  },
  TIMEOUT,
)

test(
  'by the keyboard, Invite is reached before what is typed is added without a mail',
  async () => {
    const { tab, dialog, stored } = await openSharing({ access: 'people' }, { mails: true })
    const field = dialog.getByLabel('Invite by email')
    await field.fill('ann@example.com')
    for (const key of ['Tab', 'Enter']) await tab.keyboard.press(key)
    await dialog.getByText('Mailed: ann@example.com.').waitFor({ timeout: 10_000 })
    await field.fill('bob@example.com')
    await dialog.getByRole('switch', { name: 'Ask them to sign in' }).focus()
    await becomes(() => stored('allowed_emails'), [['ann@example.com', 'bob@example.com']])
  },
  TIMEOUT,
)

test(
  'a password is made, shown, copied, typed anew and made anew',
  async () => {
    const { tab, dialog, choose, stored, saved, problems } = await openSharing()
    await choose('Anyone with the password')
    const field = dialog.getByLabel('Password', { exact: true })
    await becomes(async () => /^\w+-\w+-\w+-\w+$/.test(await field.inputValue()), true)
    const [first] = await stored('password')
    expect(await field.inputValue()).toBe(first as string)
    expect(await field.getAttribute('type')).toBe('password')
    await dialog.getByRole('button', { name: 'Show password' }).click()
    expect(await field.getAttribute('type')).toBe('text')
    await dialog.getByRole('button', { name: 'Copy password' }).click()
    expect(await tab.evaluate(() => navigator.clipboard.readText())).toBe(first as string)
    await field.fill('no')
    await field.press('Enter')
    await dialog.getByText('A password has 4 to 128 characters.').waitFor()
    await field.fill('blue card friday')
    await field.press('Enter')
    await saved()
    await becomes(() => stored('password'), ['blue card friday'])
    await dialog.getByRole('button', { name: 'New password' }).click()
    await becomes(async () => /^\w+-\w+-\w+-\w+$/.test(await field.inputValue()), true)
    expect(await stored('password')).toEqual([await field.inputValue()])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'an end and a limit are set in the zone of the viewer, and removed',
  async () => {
    const { tab, dialog, stored, saved, problems } = await openSharing()
    const expires = dialog.getByLabel('Expires')
    await expires.fill('2030-05-01T10:00')
    await expires.press('Enter')
    await saved()
    const wanted = await tab.evaluate(() => new Date('2030-05-01T10:00').getTime())
    await becomes(async () => Date.parse((await stored('expires_at'))[0] as string), wanted)
    await dialog.getByRole('button', { name: '1 week' }).click()
    await becomes(
      async () =>
        Math.round((Date.parse((await stored('expires_at'))[0] as string) - Date.now()) / 864e5),
      7,
    )
    await dialog.getByRole('button', { name: 'Never' }).click()
    await becomes(() => stored('expires_at'), [null])
    const limit = dialog.getByLabel('View limit')
    await limit.fill('none at all')
    await limit.press('Enter')
    await dialog.getByText('Give a whole number').waitFor()
    await limit.fill('50')
    await limit.press('Enter')
    await dialog.getByText('0 of 50 opened').waitFor()
    await becomes(() => stored('max_views'), [50])
    await limit.fill('')
    await limit.press('Enter')
    await becomes(() => stored('max_views'), [null])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'on Free, Pro settings are shown, cannot be set, and say what they need',
  async () => {
    const { dialog } = await openSharing({}, { plan: 'free' })
    for (const name of ['Expires', 'View limit']) {
      expect(await dialog.getByLabel(name).isDisabled()).toBe(true)
    }
    for (const name of ['Approvals', 'Ask for agreement']) {
      expect(await dialog.getByRole('switch', { name }).isDisabled()).toBe(true)
    }
    expect(await dialog.getByText('Part of the Pro plan.').count()).toBe(3)
  },
  TIMEOUT,
)

test(
  'the preview shows what chat programs will show, as it is typed',
  async () => {
    const { dialog, stored, problems } = await openSharing()
    const card = dialog.getByRole('figure', { name: 'Preview of the link' })
    await dialog.getByLabel('Link title').fill('<b>Spring</b> launch')
    await card.getByText('<b>Spring</b> launch').waitFor()
    await dialog.getByLabel('Link description').fill('On Friday\nat nine.')
    await dialog.getByRole('switch', { name: 'Let search engines index it' }).click()
    await dialog.getByRole('switch', { name: 'Email me when it is opened' }).click()
    await becomes(
      () => stored('og_title', 'og_description', 'indexed', 'notify_on_view'),
      ['<b>Spring</b> launch', 'On Friday at nine.', true, true],
    )
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'the dialog stands over the tab that it was opened from, and leaves one there',
  async () => {
    const { tab, open, id, problems } = await openSharing()
    await open(`/app/pages/${id}/versions`)
    await tab.getByRole('button', { name: 'Share', exact: true }).press('Enter')
    await tab.getByRole('dialog', { name: 'Share' }).waitFor()
    await tab.getByText('Each publish and each save makes a version.').waitFor()
    await tab.keyboard.press('Escape')
    await tab.waitForURL(/\/versions$/)
    await tab.locator('button:focus', { hasText: 'Share' }).waitFor()
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
