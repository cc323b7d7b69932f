/** Two people whom an agent asked: one comments on a passage and wants changes, the other approves. */
import { expect } from 'bun:test'
import type { Browser, Page as Tab } from 'playwright-core'
import { becomes, framed } from './browser.ts'

export const PLAN =
  '<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">' +
  '<title>Plan</title></head><body><h1>The plan</h1><p>We meet at nine.</p></body></html>'
export const COMMENT = 'Ten would be better'
/** The edit that answers the comment. */
export const EDIT = { edits: [{ find: 'at nine', replace: 'at ten' }], publish: true }

const button = (tab: Tab, name: string | RegExp) =>
  tab.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

async function open(browser: Browser, link: string): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const tab = await context.newPage()
  await tab.goto(link)
  await button(tab, 'Open and decide').click()
  await tab.getByText('You are asked to approve version 1').waitFor()
  return tab
}

async function decide(tab: Tab, press: string, confirm: string, said: string): Promise<void> {
  await button(tab, press).click()
  await tab.waitForURL(/\/app\/confirm\//)
  await button(tab, confirm).click()
  await tab.getByRole('heading', { name: said }).waitFor()
  await tab.getByRole('link', { name: 'Back to the page' }).click()
}

/** Opens what the agent asks about by the links of both, each in a browser of their own. */
export async function twoPeople(browser: Browser, [annLink, benLink]: readonly [string, string]) {
  const ann = await open(browser, annLink)
  const ben = await open(browser, benLink)
  const words = async (tab: Tab) => (await framed(tab)).locator('p').textContent()
  return {
    async annComments(): Promise<void> {
      const frame = await framed(ann)
      await frame.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('p')!))
      await button(ann, 'Comment on this').click()
      await ann.getByLabel('Comment', { exact: true }).fill(COMMENT)
      await button(ann, 'Post comment').click()
      await becomes(() => ann.getByLabel('Comment', { exact: true }).inputValue(), '')
    },
    async bothDecide(): Promise<void> {
      await ann.getByRole('tab', { name: 'Approval' }).click()
      await decide(ann, 'Request changes', 'Request changes', 'Changes requested')
      await decide(ben, 'Approve', 'Approve version 1', 'Approved')
    },
    /** Ann's thread is resolved by the edit, and both read what it changed. */
    async bothSeeEdit(): Promise<void> {
      await ann.getByRole('tab', { name: /^Comments/ }).click()
      await ann.getByText(`Resolved: ${COMMENT}`).click()
      await ann.getByText('Changed in version 2.').waitFor()
      for (const tab of [ann, ben]) {
        await tab.reload()
        await becomes(() => words(tab), 'We meet at ten.')
      }
      await ben.getByText('You approved version 1, now 2').waitFor()
    },
    close: () => Promise.all([ann, ben].map((tab) => tab.context().close())),
  }
}

/** What the agent is told in the end, by ask. */
export function expectBothAnswered(answer: object, [ann, ben]: readonly [string, string]): void {
  expect(answer).toMatchObject({ outcome: 'all_answered', waiting: [] })
  const decided = { version_no: 1, answer: { decision: 'approved' } }
  expect(answer).toMatchObject({
    answered: [
      { ...decided, who: ann, answer: { decision: 'changes_requested' } },
      { ...decided, who: ben },
    ],
  })
}

/** What the agent is told of the comment, by feedback. */
export const TOLD = {
  type: 'comment',
  comment: { body: COMMENT, anchor: { quote: 'We meet at nine.' } },
}
