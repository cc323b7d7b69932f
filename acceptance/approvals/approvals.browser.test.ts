/** The Approval tab in Chromium: an owner, approvers and a stranger, each in a browser of their own. */
import { expect } from 'bun:test'
import type { BrowserContextOptions, Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import type { Page } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { type Person, person } from '../gates/person.ts'
import { newEmail, newOwner, own } from '../gates/setup.ts'
import { base64, pdf, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { approvalsOf, approver, confirmed, signOff } from './approver.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

/** Opens a page with its Approval tab, in a browser of its own. */
async function openApproval(
  { url }: Pick<Page, 'url'>,
  who: Person = person(),
  options: BrowserContextOptions = {},
) {
  const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map(({ name, value, path }) => ({ name, value, path, domain })),
  )
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  const answers: Promise<string>[] = []
  tab.on('response', (answer) => answers.push(answer.text().catch(() => '')))
  await tab.goto(url)
  await tab.getByRole('button', { name: 'Approval' }).click()
  await tab.locator('.approval > :not(.shape)').first().waitFor()
  /** Everything that the server has sent to the tab. */
  const received = async () => (await Promise.all(answers)).join('\n')
  return { tab, problems, received }
}

const textOf = (tab: Tab) => () => tab.locator('.approval').innerText()
const button = (tab: Tab, name: string | RegExp) => tab.getByRole('button', { name, exact: true })
const says = (tab: Tab, words: string) =>
  becomes(async () => (await textOf(tab)()).includes(words), true)

own(
  'an approver approves on our own page, the owner sees it within seconds, and a republish asks again',
  async () => {
    const { by, page, title, ann, ben, read, republish } = await signOff()
    const owner = await openApproval(page, await confirmed(by.email))
    await says(owner.tab, ann)
    expect(await textOf(owner.tab)()).toContain('Waiting')
    await says(owner.tab, 'This server sends no mail.')
    expect(await button(owner.tab, 'Ask by mail').count()).toBe(0)
    const copying = owner.tab.getByRole('link', { name: 'Copy links for them' })
    expect(await copying.getAttribute('href')).toBe(`/app/pages/${page.id}/approvals`)
    const { tab, problems } = await openApproval(page, await confirmed(ann))
    await says(tab, 'You are asked to approve version 1')
    expect(await textOf(tab)()).not.toContain(ben)
    await tab.getByLabel('Note').fill('Fine by me')
    await button(tab, 'Approve').click()
    await tab.waitForURL(/\/app\/confirm\//)
    expect(await tab.locator('body').innerText()).toContain('Fine by me')
    expect((await read()).counts.approved).toBe(0)
    await button(tab, 'Approve version 1').click()
    await tab.getByRole('heading', { name: 'Approved' }).waitFor()
    expect((await read()).approvers[0]).toMatchObject({ email: ann, note: 'Fine by me' })
    await says(owner.tab, 'Approved version 1')
    expect(await textOf(owner.tab)()).toContain('Fine by me')
    await tab.getByRole('link', { name: 'Back to the page' }).click()
    await says(tab, 'You approved version 1')
    expect(await button(tab, 'Approve').count()).toBe(0)

    await republish('two')
    await says(tab, 'The page has changed since you opened it')
    await button(tab, 'Reload the page').click()
    await says(tab, 'You approved version 1, now 2')
    await button(tab, 'Show what changed').click()
    await becomes(() => tab.locator('.changes ins').allTextContents(), ['two'])
    expect(await tab.locator('.changes del').allTextContents()).toEqual(['one'])
    await says(owner.tab, 'Approved version 1, now 2')
    await button(tab, 'Request changes').click()
    await tab.waitForURL(/\/app\/confirm\//)
    expect(await tab.locator('h1').innerText()).toContain(title)
    await button(tab, 'Request changes').click()
    await tab.getByRole('heading', { name: 'Changes requested' }).waitFor()
    expect((await read()).counts).toEqual({ approved: 0, changes_requested: 1, waiting: 1 })
    await says(owner.tab, 'Requested changes to version 2')
    await owner.tab.getByRole('link', { name: 'Record of approvals' }).click()
    await owner.tab.getByRole('table', { name: 'Approvers' }).waitFor()
    expect(await owner.tab.locator('body').innerText()).toContain(ann)
    expect([...problems, ...owner.problems]).toEqual([])
  },
  TIMEOUT,
)

own(
  'an approver lands on the approval by the link of the mail, and decides without another',
  async () => {
    const { by, page, ann, read } = await signOff()
    await by.call('POST', `/pages/${page.id}/approvals/requests`, { emails: [ann] })
    const { links } = await sharedOutbox().last(ann)
    const tab = await (await browser().newContext({ reducedMotion: 'reduce' })).newPage()
    const problems: string[] = []
    tab.on('pageerror', (error) => problems.push(error.message))
    await tab.goto(links[0]!)
    await button(tab, 'Open and decide').click()
    await says(tab, 'You are asked to approve version 1')
    await becomes(() => new URL(tab.url()).hash, '')
    await tab.getByLabel('Note').fill('By mail')
    await button(tab, 'Approve').click()
    await button(tab, 'Approve version 1').click()
    await tab.getByRole('heading', { name: 'Approved' }).waitFor()
    expect((await read()).approvers[0]).toMatchObject({ decision: 'approved', note: 'By mail' })
    expect(sharedOutbox().sentTo(ann)).toHaveLength(1)
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

own(
  'a viewer sees nothing of the approval, and an approver who has lost the mail confirms the address',
  async () => {
    const { by, page, ann, ben } = await signOff()
    const { tab, problems, received } = await openApproval(page)
    await says(tab, 'Those whom the owner asked')
    const owner = await openApproval(page, await confirmed(by.email))
    await says(owner.tab, ann)
    expect(await received()).toContain(page.slug)
    for (const secret of [ann, ben]) {
      expect(await owner.received()).toContain(secret)
      expect(await received()).not.toContain(secret)
      expect(await textOf(tab)()).not.toContain(secret)
    }
    for (const name of ['Approve', 'Request changes']) {
      expect(await button(tab, name).count()).toBe(0)
    }
    await button(tab, 'Confirm my address instead').click()
    await says(tab, 'This server sends no mail')
    await tab.getByLabel('Your email').fill(newEmail('eve'))
    await button(tab, 'Make a link').click()
    await says(tab, 'Whoever runs this server has a mail')
    await button(tab, 'Use another address').click()
    await tab.getByLabel('Your email').fill(ann)
    await button(tab, 'Make a link').click()
    await tab.getByLabel('Code').fill((await sharedOutbox().last(ann)).code!)
    await button(tab, 'Confirm').click()
    await says(tab, 'You are asked to approve version 1')
    expect(problems).toEqual([])
  },
  TIMEOUT,
)

own(
  'approvers see each other’s decisions where they are shared; what failed says so and keeps the note',
  async () => {
    const { by, page, ann, ben } = await signOff({ approvals_visibility: 'shared' })
    await approver(await confirmed(ben)).decide(page, { note: 'Seen by Ben' })
    const { tab } = await openApproval(page, await confirmed(ann))
    await says(tab, 'Seen by Ben')
    await tab.getByLabel('Note').fill('Do not lose this')
    await tab.context().setOffline(true)
    await button(tab, 'Approve').click()
    await tab.locator('.approval [role=alert]:not(:empty)').waitFor()
    await tab.context().setOffline(false)
    expect(await tab.getByLabel('Note').inputValue()).toBe('Do not lose this')
    await tab.reload()
    await says(tab, 'You are asked to approve')
    expect(await tab.getByLabel('Note').inputValue()).toBe('Do not lose this')
    await by.update(page.id, { approvals_visibility: 'owner' })
    await becomes(async () => (await textOf(tab)()).includes('Seen by Ben'), false)
    const off = tab.waitForResponse((response) => response.status() === 409)
    await by.update(page.id, { collect_approvals: false })
    await off
    await button(tab, 'Approve').click()
    await says(tab, 'asks for no approval now')
    expect(await tab.getByLabel('Note').inputValue()).toBe('Do not lose this')
    await tab.getByLabel('Note').fill('')
    await becomes(() => tab.getByLabel('Note').count(), 0)
    await says(tab, 'asks for no approval now')
  },
  TIMEOUT,
)

own(
  'the tab is accessible on a page, a deck and a PDF, and decides about each',
  async () => {
    const ann = newEmail('ann')
    const settings = { collect_approvals: true, approver_emails: [ann] }
    const html = '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1></main></html>'
    const by = await newOwner()
    const pages = [
      await by.publish({ html, ...settings }),
      await by.publish({ files: [{ path: 'index.html', html }], ...settings }),
      await by.publish({ file_base64: base64(pdf()), filename: `${word('f')}.pdf`, ...settings }),
    ]
    const who = await confirmed(ann)
    for (const page of pages) {
      const stranger = await openApproval(page, person(), { bypassCSP: true })
      expect(await violationsIn(stranger.tab)).toEqual([])
      await stranger.tab.context().close()
      const { tab, problems } = await openApproval(page, who, { bypassCSP: true })
      expect(await violationsIn(tab)).toEqual([])
      await button(tab, 'Approve').click()
      await button(tab, 'Approve version 1').click()
      await tab.getByRole('link', { name: 'Back to the page' }).click()
      await says(tab, 'You approved version 1')
      expect(await violationsIn(tab)).toEqual([])
      expect((await approvalsOf(by, page)).counts.approved).toBe(1)
      expect(problems).toEqual([])
      await tab.context().close()
    }
  },
  TIMEOUT,
)
