/** Access in the sharing dialog: requests, domains, the password and what a visitor then meets. */
import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { person } from '../gates/person.ts'
import { newEmail } from '../gates/setup.ts'
import { base64, pdf, word } from '../material.ts'
import { askAtGate, sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

test(
  'visitors ask at the gate, and the owner lets one in and denies another in the dialog',
  async () => {
    const { tab, dialog, owner, id, choose, saved, stored, problems } = await openSharing()
    await choose('Only people you invite')
    await dialog.getByRole('switch', { name: 'Let others ask for access' }).click()
    await becomes(() => stored('access', 'allow_access_requests'), ['people', true])
    await saved()
    const { slug } = await owner.page(id)
    const [ann, eve] = [newEmail('ann'), newEmail('eve')]
    await askAtGate(`/p/${slug}`, ann)
    await askAtGate(`/p/${slug}`, eve)

    await tab.reload()
    const waiting = dialog.getByRole('list', { name: 'Waiting for your answer' })
    await waiting.getByRole('button', { name: `Deny ${eve}` }).waitFor()
    await dialog.getByRole('button', { name: `Let in ${ann}` }).click()
    await dialog.getByRole('button', { name: `Remove ${ann}` }).waitFor()
    await dialog.getByRole('button', { name: `Deny ${eve}` }).click()
    await waiting.waitFor({ state: 'detached' })
    expect(await stored('allowed_emails')).toEqual([[ann]])
    const mail = await sharedOutbox().last(ann)
    expect(mail.text).toContain(`/p/${slug}`)
    expect(sharedOutbox().sentTo(eve)).toEqual([])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'domains are allowed at the gate that asks for an email, many at once, and removed',
  async () => {
    const { tab, dialog, owner, id, choose, stored, saved, problems } = await openSharing()
    await choose('Anyone who confirms an email')
    await dialog.getByText('Empty: every domain may come in.').waitFor()
    const field = dialog.getByLabel('Allowed domains')
    await field.fill('example.com, @Example.ORG\nno domain')
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await becomes(() => stored('allowed_domains'), [['example.com', 'example.org']])
    await dialog.getByRole('alert').filter({ hasText: 'no domain' }).waitFor()
    await field.fill('')
    const { slug } = await owner.page(id)
    const who = person()
    const refused = await who.submit(await who.open(`/p/${slug}`), { email: newEmail('ann') })
    expect(refused.status).toBe(200)
    const outside = await who.submit(await who.open(`/p/${slug}`), { email: 'ann@other.example' })
    expect(outside.status).not.toBe(200)
    await dialog.getByRole('button', { name: 'Remove example.com' }).click()
    await becomes(() => stored('allowed_domains'), [['example.org']])
    await dialog.getByRole('switch', { name: 'Business addresses only' }).click()
    await becomes(() => stored('business_only'), [true])
    await field.fill('gmail.com')
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await becomes(() => stored('allowed_domains'), [['example.org', 'gmail.com']])
    await dialog.getByRole('button', { name: 'Remove example.org' }).click()
    const nobody = dialog.getByRole('status').filter({ hasText: 'Nobody can come in' })
    await nobody.waitFor()
    await saved()
    await tab.reload()
    await nobody.waitFor()
    await dialog.getByRole('switch', { name: 'Business addresses only' }).click()
    await nobody.waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'the password is hidden until it is shown, is copied with the link, and opens the page',
  async () => {
    const { tab, dialog, owner, id, choose, stored, saved, problems } = await openSharing()
    await choose('Anyone with the password')
    const field = dialog.getByLabel('Password', { exact: true })
    await becomes(async () => (await field.inputValue()) !== '', true)
    expect(await field.getAttribute('type')).toBe('password')
    await dialog.getByRole('button', { name: 'Show password' }).click()
    await dialog.getByRole('button', { name: 'Hide password' }).waitFor()
    expect(await field.getAttribute('type')).toBe('text')
    await dialog.getByRole('button', { name: 'New password' }).click()
    await saved()
    const { url, slug, password } = await owner.page(id)
    await becomes(() => field.inputValue(), String(password))
    await dialog.getByRole('button', { name: 'Copy link and password' }).click()
    const copied = () => tab.evaluate(() => navigator.clipboard.readText())
    await becomes(copied, `${url}\nPassword: ${password}`)
    const who = person()
    const opened = await who.submit(await who.open(`/p/${slug}`), { password: String(password) })
    expect(opened.status).toBe(303)
    expect(await stored('access')).toEqual(['password'])
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'a PDF can be made view only, which takes its download button away',
  async () => {
    const file = { html: undefined, file_base64: base64(pdf()), filename: `${word('plan')}.pdf` }
    const { dialog, owner, id, stored, saved, problems } = await openSharing(file)
    const { slug } = await owner.page(id)
    const offersDownload = async () => (await person().open(`/p/${slug}`)).text.includes('Download')
    expect(await offersDownload()).toBe(true)
    await dialog.getByRole('switch', { name: 'View only' }).click()
    await saved()
    await becomes(() => stored('download_disabled'), [true])
    expect(await offersDownload()).toBe(false)
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

test(
  'on Free, what belongs to Pro is shown off and names what it needs, and the rest works',
  async () => {
    const file = { html: undefined, file_base64: base64(pdf()), filename: `${word('plan')}.pdf` }
    const { dialog, choose, stored } = await openSharing(file, { plan: 'free' })
    for (const name of ['View only', 'Approvals']) {
      const pro = dialog.getByRole('switch', { name, exact: true })
      expect(await pro.isDisabled(), name).toBe(true)
      expect(await pro.getAttribute('aria-checked'), name).toBe('false')
    }
    for (const title of ['Closes', 'Ask viewers']) {
      const section = dialog.getByRole('region', { name: title })
      await section.getByText('Part of the Pro plan.').waitFor()
      await section.getByText('The operator of this server sets your plan.').waitFor()
    }
    await choose('Anyone with the password')
    await becomes(() => stored('access'), ['password'])
  },
  TIMEOUT,
)
