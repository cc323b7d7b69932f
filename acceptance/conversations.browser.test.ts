/** The whole panel with three people at once, on every kind of page and both engines. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import { becomes } from './browser.ts'
import { type Discussed, ENGINES, KINDS, type Kind, type Site, startSite } from './conversations.ts'
import { cleanUp } from './start.ts'
import { testBrowser } from './test-browser.ts'

setDefaultTimeout(240_000)

/** Others' actions are seen within seconds: an open panel asks every four. */
const SECONDS_MS = 10_000
/** For what is waited for on a busy computer. */
const WAIT_MS = 60_000
const NOTE = 'Fine by me, as the approver'

const browser = testBrowser()
afterAll(cleanUp)

/** Somebody in front of the open panel. */
interface Participant {
  readonly tab: Tab
  /** Errors of scripts, and navigations after the first. */
  readonly problems: string[]
  /** Every document, and every answer to the panel, so far. */
  received(): Promise<string>
}

async function openPanel(url: string, context: BrowserContext): Promise<Participant> {
  const tab = await context.newPage()
  const problems: string[] = []
  const answers: Promise<string>[] = []
  let documents = 0
  tab.on('pageerror', (error) => problems.push(error.message))
  tab.on('response', (response) => {
    const isDocument = response.request().resourceType() === 'document'
    const isRedirect = response.status() >= 300 && response.status() < 400
    if (isRedirect || !(isDocument || response.url().includes('/~/'))) return
    // A request that the end of the test cuts off has no answer.
    answers.push(response.text().catch(() => ''))
  })
  tab.on('domcontentloaded', () => {
    documents += 1
    if (documents > 1) problems.push(`the page was loaded ${documents} times`)
  })
  await tab.goto(url)
  await tab.getByRole('button', { name: /^Comments/ }).click()
  await tab.getByRole('tab', { name: /^Comments/, selected: true }).waitFor()
  return { tab, problems, received: async () => (await Promise.all(answers)).join('\n') }
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser().newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(WAIT_MS)
  return context
}

async function signedIn(site: Site, email: string): Promise<BrowserContext> {
  const context = await newContext()
  const tab = await context.newPage()
  await tab.goto(site.signInUrl)
  await tab.locator('input[name=email]').fill(email)
  await tab.locator('form:has(input[name=email]) button').click()
  const { links } = await site.outbox.last(email)
  await tab.goto(links[0]!)
  await tab.locator('form button').first().click()
  await tab.waitForURL(/\/app(\/pages)?$/)
  await tab.close()
  return context
}

const button = ({ tab }: Participant, name: string) =>
  tab.getByRole('button', { name, exact: true })
const field = ({ tab }: Participant, name: string) => tab.getByLabel(name, { exact: true })
const turnTo = async (all: Participant[], name: RegExp) => {
  for (const { tab } of all) await tab.getByRole('tab', { name }).click()
}
const seenBy = async (all: Participant[], selector: string, texts: string[]) => {
  for (const { tab } of all) {
    await becomes(() => tab.locator(`${selector}:visible`).allTextContents(), texts, SECONDS_MS)
  }
}
const approvalOf = ({ tab }: Participant) => tab.locator('.approval').innerText()
const readsInApproval = (who: Participant, text: string) =>
  becomes(async () => (await approvalOf(who)).includes(text), true, SECONDS_MS)

interface People {
  readonly owner: Participant
  readonly viewer: Participant
  readonly approver: Participant
}

/** The viewer comments, the owner answers. */
async function comment({ owner, viewer, approver }: People): Promise<void> {
  const all = [owner, viewer, approver]
  await field(viewer, 'Comment').fill('Is May possible?')
  await field(viewer, 'Your name').fill('Vic')
  await button(viewer, 'Post comment').click()
  await seenBy(all, '.comment .words', ['Is May possible?'])
  await button(owner, 'Reply').click()
  await field(owner, 'Comment').fill('Only for half of us')
  await owner.tab.locator('form').getByRole('button', { name: 'Reply', exact: true }).click()
  await seenBy(all, '.comment .words', ['Is May possible?', 'Only for half of us'])
  for (const who of [viewer, approver]) {
    for (const name of ['Resolve', 'Hide']) expect(await button(who, name).count(), name).toBe(0)
  }
}

/** The viewer votes while all have the poll open. */
async function vote({ owner, viewer, approver }: People): Promise<void> {
  const all = [owner, viewer, approver]
  await turnTo(all, /^Poll/)
  for (const { tab } of all) await tab.getByRole('radio', { name: 'June', exact: true }).waitFor()
  await viewer.tab.getByRole('radio', { name: 'June', exact: true }).check()
  await button(viewer, 'Vote').click()
  await seenBy(all, '.poll .option .votes', ['0 votes · 0%', '1 vote · 100%'])
}

/** The approver decides by the link of a mail; the owner sees it, and the viewer does not. */
async function approve(
  { owner, viewer, approver }: People,
  { approverEmail, askApprover }: Discussed,
  site: Site,
): Promise<void> {
  await turnTo([owner, viewer, approver], /^Approval/)
  await readsInApproval(owner, approverEmail)
  await readsInApproval(owner, 'Waiting')
  for (const who of [viewer, approver]) await readsInApproval(who, 'Those whom the owner asked')
  const before = await approvalOf(viewer)
  await askApprover()
  const { links } = await site.outbox.last(approverEmail)
  const mailed = await approver.tab.context().newPage()
  await mailed.goto(links[0]!)
  await mailed.getByRole('button', { name: 'Open and decide' }).click()
  await mailed.getByLabel('Note').fill(NOTE)
  await mailed.getByRole('button', { name: 'Approve', exact: true }).click()
  await mailed.getByRole('button', { name: 'Approve version 1' }).click()
  await mailed.getByRole('heading', { name: 'Approved' }).waitFor()
  await mailed.getByRole('link', { name: 'Back to the page' }).click()
  await mailed.getByText('You approved version 1').waitFor()
  await mailed.close()
  await approver.tab.bringToFront()
  await readsInApproval(owner, 'Approved version 1')
  expect(await approvalOf(owner)).toContain(NOTE)
  // The viewer's panel has asked after the decision, and shows what it showed before.
  await viewer.tab.waitForResponse(/\/~\/approval$/)
  expect(await approvalOf(viewer)).toBe(before)
}

/** The owner resolves the thread, which folds away for the others. */
async function resolve({ owner, viewer, approver }: People): Promise<void> {
  await turnTo([owner, viewer, approver], /^Comments/)
  await button(owner, 'Resolve').click()
  await seenBy([viewer, approver], '.comment .words', [])
}

async function expectStored({ read }: Discussed, { commentPath }: Kind): Promise<void> {
  expect(await read<object[]>('comments')).toMatchObject([
    {
      body: 'Is May possible?',
      path: commentPath,
      state: 'resolved',
      author: { kind: 'anonymous', name: 'Vic', email: null },
      replies: [{ body: 'Only for half of us', author: { kind: 'owner' } }],
    },
  ])
  expect(await read<object>('poll')).toMatchObject({
    total_votes: 1,
    options: [
      { text: 'May', votes: 0 },
      { text: 'June', votes: 1 },
    ],
  })
  expect(await read<object>('approvals')).toMatchObject({
    counts: { approved: 1, changes_requested: 0, waiting: 0 },
    approvers: [{ decision: 'approved', note: NOTE, version_no: 1 }],
  })
}

for (const engine of ENGINES) {
  describe(engine, () => {
    let site: Site
    beforeAll(async () => {
      site = await startSite(engine)
    })
    afterAll(() => site.stop())

    for (const kind of KINDS) {
      test.concurrent(`an owner, a viewer and an approver meet on ${kind.name}`, async () => {
        const discussed = await site.publish(kind.content())
        const { page, ownerEmail, approverEmail } = discussed
        const people: People = {
          owner: await openPanel(page.url, await signedIn(site, ownerEmail)),
          viewer: await openPanel(page.url + kind.viewerPath, await newContext()),
          approver: await openPanel(page.url, await newContext()),
        }
        await comment(people)
        await vote(people)
        await approve(people, discussed, site)
        await resolve(people)
        await expectStored(discussed, kind)

        const received = await people.viewer.received()
        expect(received).toContain('Is May possible?')
        for (const secret of [ownerEmail, approverEmail, NOTE])
          expect(received).not.toContain(secret)
        expect(await people.approver.received()).not.toContain(ownerEmail)
        for (const { problems, tab } of Object.values(people)) {
          expect(problems).toEqual([])
          await tab.context().close()
        }
      })
    }
  })
}
