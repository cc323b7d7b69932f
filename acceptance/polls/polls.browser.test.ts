import { expect, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, framed } from '../browser.ts'
import { type Page, pro } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { type Person, person } from '../gates/person.ts'
import { newEmail, newOwner, own, signedIn } from '../gates/setup.ts'
import { base64, isoIn, pdf, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { countsIn, pollOf, publishPoll, voter } from './voter.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

/** Opens a page with its poll, in a browser of its own. */
async function openPoll({ url }: Pick<Page, 'url'>, who: Person = person(), options = {}) {
  const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map(({ name, value, path }) => ({ name, value, path, domain })),
  )
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  await tab.goto(url)
  await tab.getByRole('button', { name: /^Poll/ }).click()
  await tab.getByRole('heading', { name: 'Which one?' }).waitFor()
  return { tab, problems }
}

async function vote(tab: Tab, option: string): Promise<void> {
  await tab.getByRole('radio', { name: option, exact: true }).check()
  await tab.getByRole('button', { name: 'Vote', exact: true }).click()
}

/** What stands beside each option. */
const votesIn = (tab: Tab) => () => tab.locator('.poll .option .votes:visible').allTextContents()
const textOf = (tab: Tab) => () => tab.locator('.poll').innerText()
const radiosIn = (tab: Tab) =>
  tab.getByRole('radio').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))

own(
  'three people at once: the owner and two voters see each vote within seconds',
  async () => {
    const by = await newOwner()
    const page = await publishPoll({}, by)
    const [ann, bob] = [await openPoll(page), await openPoll(page)]
    const owner = await openPoll(page, await signedIn(by.email))
    expect(await radiosIn(ann.tab)).toEqual(['A', 'B', 'C'])
    await vote(ann.tab, 'A')
    await becomes(votesIn(ann.tab), ['1 vote · 100%', '0 votes · 0%', '0 votes · 0%'])
    for (const { tab } of [bob, owner]) {
      await becomes(votesIn(tab), ['1 vote · 100%', '0 votes · 0%', '0 votes · 0%'])
      expect(await tab.getByRole('button', { name: 'Vote', exact: true }).isVisible()).toBe(true)
    }
    expect(await textOf(ann.tab)()).toContain('Your vote')
    expect(await textOf(bob.tab)()).not.toContain('Your vote\n')
    await vote(bob.tab, 'C')
    for (const { tab } of [ann, bob, owner]) {
      await becomes(votesIn(tab), ['1 vote · 50%', '0 votes · 0%', '1 vote · 50%'])
    }
    await ann.tab.getByRole('button', { name: 'Change my vote' }).click()
    expect(await ann.tab.getByRole('radio', { name: 'A', exact: true }).isChecked()).toBe(true)
    await vote(ann.tab, 'C')
    for (const { tab } of [ann, bob, owner]) {
      await becomes(votesIn(tab), ['0 votes · 0%', '0 votes · 0%', '2 votes · 100%'])
    }
    expect(countsIn(await pollOf(page, by))).toBe('A 0, B 0, C 2')
    await ann.tab.reload()
    await becomes(votesIn(ann.tab), ['0 votes · 0%', '0 votes · 0%', '2 votes · 100%'])
    expect(await ann.tab.getByRole('button', { name: 'Change my vote' }).isVisible()).toBe(true)
    for (const { problems } of [ann, bob, owner]) expect(problems).toEqual([])
  },
  TIMEOUT,
)

own(
  'a voter who must confirm an address does so in the panel, and is told first who sees the vote',
  async () => {
    const page = await publishPoll({ poll_require_email: true, poll_named: true })
    const { tab } = await openPoll(page)
    expect(await textOf(tab)()).toContain('not secret')
    const email = newEmail('ann')
    await tab.getByLabel('Your name', { exact: true }).fill('Ann')
    await vote(tab, 'B')
    await tab.getByLabel('Your email').fill(email)
    await tab.getByRole('button', { name: 'Make a link' }).click()
    const { code } = await sharedOutbox().last(email)
    await tab.getByLabel('Code').fill(code!)
    await tab.getByRole('button', { name: 'Confirm', exact: true }).click()
    await becomes(votesIn(tab), ['0 votes · 0%', '1 vote · 100%', '0 votes · 0%'])
    expect((await pollOf(page)).voters).toMatchObject([{ email, name: 'Ann', option: 'B' }])
    const { tab: other } = await openPoll(page)
    await becomes(() => other.locator('.names:visible').allTextContents(), ['Ann'])
    expect(await other.locator('.panel').innerHTML()).not.toContain(email)
    await pro.update(page.id, { poll_named: false })
    await becomes(
      async () => (await textOf(other)()).includes('secret, from the page’s owner'),
      true,
    )
  },
  TIMEOUT,
)

test(
  'results that a viewer may not see are not shown, and the panel says who sees them',
  async () => {
    const page = await publishPoll({ poll_results: 'vote', poll_closes_at: isoIn(86_400_000) })
    await voter().vote(page, 'A')
    const { tab } = await openPoll(page, person(), { timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    expect(await votesIn(tab)()).toEqual([])
    expect(await textOf(tab)()).toContain('once you have voted')
    // The viewer’s own time.
    expect(await textOf(tab)()).toMatch(/Voting ends in \d+ (hours|day).*\d{4}.*GMT\+9/)
    await vote(tab, 'B')
    await becomes(votesIn(tab), ['1 vote · 50%', '1 vote · 50%', '0 votes · 0%'])
    await pro.update(page.id, { poll_results: 'closed' })
    await becomes(votesIn(tab), [])
    await becomes(async () => (await textOf(tab)()).includes('2 votes\n'), true)
    await pro.update(page.id, { poll_closes_at: isoIn(-1000) })
    await becomes(votesIn(tab), ['1 vote · 50%', '1 vote · 50%', '0 votes · 0%'])
    expect(await textOf(tab)()).toContain('Voting ended')
    expect(await tab.getByRole('button', { name: 'Change my vote' }).count()).toBe(0)
  },
  TIMEOUT,
)

test(
  'a choice that was not delivered stays chosen and says so; what changed meanwhile is shown',
  async () => {
    const page = await publishPoll()
    const { tab } = await openPoll(page)
    await tab.context().setOffline(true)
    await vote(tab, 'B')
    await becomes(() => tab.locator('.poll [role=alert]').textContent(), OFFLINE)
    expect(await tab.getByRole('radio', { name: 'B', exact: true }).isChecked()).toBe(true)
    await tab.context().setOffline(false)
    await pro.update(page.id, { poll_options: ['A', 'Better', 'C'] })
    await tab.getByRole('button', { name: 'Vote', exact: true }).click()
    const alert = () => tab.locator('.poll [role=alert]').textContent()
    await becomes(async () => (await alert())?.includes('options have changed'), true)
    await becomes(() => radiosIn(tab), ['A', 'Better', 'C'])
    await vote(tab, 'Better')
    await becomes(votesIn(tab), ['0 votes · 0%', '1 vote · 100%', '0 votes · 0%'])
    expect(await alert()).toBe('')
    await pro.update(page.id, { collect_votes: false })
    await becomes(async () => (await textOf(tab)()).includes('no poll any more'), true)
    await pro.update(page.id, { collect_votes: true })
    await becomes(votesIn(tab), ['0 votes · 0%', '1 vote · 100%', '0 votes · 0%'])
  },
  TIMEOUT,
)
const OFFLINE = 'No answer came. Check your connection and try again.'

test(
  'the keyboard alone is enough to vote, and newer votes of others take neither focus nor choice',
  async () => {
    const page = await publishPoll()
    const { tab } = await openPoll(page)
    const focused = () =>
      tab.evaluate(() => {
        const { activeElement } = document.querySelector('#conversations')!.shadowRoot!
        return (activeElement as HTMLInputElement | null)?.value || activeElement?.textContent
      })
    await tab.getByRole('radio', { name: 'A', exact: true }).focus()
    await tab.keyboard.press('ArrowDown')
    expect(await focused()).toBe('B')
    await voter().vote(page, 'C')
    await becomes(votesIn(tab), ['0 votes · 0%', '0 votes · 0%', '1 vote · 100%'])
    expect(await focused()).toBe('B')
    expect(await tab.getByRole('radio', { name: 'B', exact: true }).isChecked()).toBe(true)
    await tab.keyboard.press('Enter')
    await becomes(votesIn(tab), ['0 votes · 0%', '1 vote · 50%', '1 vote · 50%'])
    await becomes(focused, 'Change my vote')
  },
  TIMEOUT,
)

test(
  'the poll is accessible before and after the vote, on a page, a deck and a PDF',
  async () => {
    const settings = { collect_votes: true, poll_question: 'Which one?', poll_options: ['A', 'B'] }
    const html = '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1></main></html>'
    const pages = [
      await pro.publish({ html, ...settings }),
      await pro.publish({ files: [{ path: 'index.html', html }], ...settings }),
      await pro.publish({ file_base64: base64(pdf()), filename: `${word('f')}.pdf`, ...settings }),
    ]
    for (const page of pages) {
      const { tab, problems } = await openPoll(page, person(), { bypassCSP: true })
      // axe finds the heading and the landmark of the page in its frame.
      if (page.file === null) await framed(tab, 'h1')
      await tab.waitForLoadState('networkidle')
      expect(await violationsIn(tab)).toEqual([])
      await vote(tab, 'B')
      await becomes(votesIn(tab), ['0 votes · 0%', '1 vote · 100%'])
      expect(await violationsIn(tab)).toEqual([])
      expect(problems).toEqual([])
      await tab.context().close()
    }
  },
  TIMEOUT,
)
