import { expect } from 'bun:test'
import { approver, confirmed } from '../approvals/approver.ts'
import { becomes } from '../browser.ts'
import { dataOf } from '../client.ts'
import { listOf, panelOf } from '../comments/panel.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { formTo, person } from '../gates/person.ts'
import { newEmail, own } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { viewer } from '../responses/viewer.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

async function opened(options: { bypassCSP?: boolean } = {}) {
  const dashboard = await openDashboard(browser(), options)
  const { owner, tab } = dashboard
  const publish = (settings: object) =>
    owner.publish({ html: html('words', word('plan')), ...settings })
  return {
    ...dashboard,
    publish,
    button: (name: string) => tab.getByRole('button', { name, exact: true }),
    entries: tab.getByRole('list', { name: 'Waiting' }).locator('> li'),
  }
}

own(
  'one list over all pages: threads, requests to answer and decisions, the newest first',
  async () => {
    const { tab, owner, publish, button, entries, problems, open } = await opened()
    const [stranger, ann] = [newEmail('stranger'), newEmail('ann')]
    const talk = await publish({ allow_comments: true })
    const invited = await publish({ access: 'people', allow_access_requests: true })
    const signed = await publish({ collect_approvals: true, approver_emails: [ann] })
    await (await panelOf(talk)).comment('Why nine?', { name: 'Cem' })
    const who = person()
    const { action, fields } = formTo(await who.open(`/p/${invited.slug}`), '/request')
    await who.post(action, { ...fields, email: stranger })
    await approver(await confirmed(ann)).decide(signed)
    await open('/app/inbox')
    await entries.nth(2).waitFor()
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringContaining(`${ann} approved version 1`),
      expect.stringContaining(`${stranger} asks to open it`),
      expect.stringContaining('Why nine?'),
    ])
    await button('Kind').click()
    await tab.getByRole('menuitemradio', { name: 'Requests' }).click()
    await button(`Let in ${stranger}`).click()
    await becomes(async () => (await owner.page(invited.id)).allowed_emails, [stranger])
    await tab.getByText('Nothing waits for you here').waitFor()
    await open('/app/inbox?state=done')
    await entries.getByText('Let in', { exact: true }).waitFor()
    expect(await button(`Let in ${stranger}`).count()).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'the link of a mail opens that thread alone, also once it is done, and says where it is gone',
  async () => {
    const { tab, owner, publish, button, entries, problems, open } = await opened()
    const page = await publish({ allow_comments: true })
    const panel = await panelOf(page)
    await panel.comment('The first one')
    await panel.comment('Another one')
    const mails = await sharedOutbox().all(owner.email, 3)
    const link = mails[1]!.links.find((url) => url.includes('/app/inbox?item='))!
    await open(new URL(link).pathname + new URL(link).search)
    await entries.first().waitFor()
    expect(await entries.allInnerTexts()).toEqual([expect.stringContaining('The first one')])
    await button('Resolve').click()
    await becomes(
      async () => (await listOf(owner, page)).map(({ state }) => state),
      ['resolved', 'open'],
    )
    await tab.reload()
    await entries.getByText('The first one').waitFor()
    await tab.getByRole('link', { name: 'Show the whole inbox' }).click()
    await entries.getByText('Another one').waitFor()
    await open('/app/inbox?item=cmt_none')
    await tab.getByText('It is no longer there').waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'j and k choose and so read, e resolves, r replies and u makes unread; the rail counts that',
  async () => {
    const { tab, owner, publish, entries, problems, open } = await opened()
    const page = await publish({ allow_comments: true })
    const panel = await panelOf(page)
    await panel.comment('First')
    await panel.comment('Second')
    await open('/app/inbox')
    await entries.nth(1).waitFor()
    const rail = tab.getByRole('navigation', { name: 'Main' })
    await rail.getByRole('link', { name: /^Inbox\s*2 unread$/ }).waitFor()
    await tab.keyboard.press('j')
    await rail.getByRole('link', { name: /^Inbox\s*1 unread$/ }).waitFor()
    await tab.keyboard.press('j')
    await rail.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    await tab.keyboard.press('u')
    await rail.getByRole('link', { name: /^Inbox\s*1 unread$/ }).waitFor()
    await tab.keyboard.press('k')
    await tab.keyboard.press('e')
    const states = async () => (await listOf(owner, page)).map(({ state }) => state)
    await becomes(states, ['open', 'resolved'])
    await becomes(() => entries.count(), 1)
    await tab.keyboard.press('j')
    await tab.keyboard.press('r')
    await tab.keyboard.type('je: typed, no command')
    await tab.keyboard.press('Control+Enter')
    await becomes(
      async () => (await listOf(owner, page))[0]!.replies.map(({ body }) => body),
      ['je: typed, no command'],
    )
    expect(await states()).toEqual(['open', 'resolved'])
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'the page stands beside its item, a deck at the file it is about; what is done leaves the list, and Undo brings it back',
  async () => {
    const { tab, owner, publish, button, entries, problems, open } = await opened()
    const form = await publish({
      html: '<title>Sign up</title><h1>Sign up</h1><form data-service><input name="name"></form>',
    })
    await viewer().respond(form, { name: 'Ada' })
    const page = await publish({ allow_comments: true })
    await (await panelOf(page)).comment('Is nine too early?')
    await tab.setViewportSize({ width: 1440, height: 900 })
    await open('/app/inbox')
    await entries.nth(1).waitFor()
    await entries.filter({ hasText: 'Ada' }).click()
    const beside = tab.getByRole('region', { name: 'The page' })
    await beside.frameLocator('iframe').getByRole('heading', { name: 'Sign up' }).waitFor()
    const deck = await owner.publish({
      files: ['index.html', 'costs/all of it.html'].map((path) => ({ path, html: html(path) })),
      allow_comments: true,
    })
    const ofDeck = await panelOf(deck, undefined, '/index.html')
    await ofDeck.comment('Too much', { path: 'costs/all of it.html' })
    await open('/app/inbox')
    await entries.filter({ hasText: 'Too much' }).click()
    await beside.frameLocator('iframe').getByText('costs/all of it.html').first().waitFor()
    for (const left of [2, 3, 2]) {
      if (left === 3) await button('Undo').click()
      else await tab.keyboard.press('e')
      await becomes(() => entries.count(), left)
    }
    // What is now in its place is shown.
    await beside.frameLocator('iframe').getByText('words', { exact: true }).waitFor()
    const tools = entries
      .filter({ hasText: 'Ada' })
      .getByRole('group', { name: /^Response of .+ on / })
    const done = tools.getByRole('button', { name: 'Done' })
    await done.click()
    await becomes(() => entries.count(), 1)
    await tab.getByRole('link', { name: 'Done', exact: true }).click()
    await entries.filter({ hasText: 'Ada' }).waitFor()
    await tab.goBack()
    await becomes(() => entries.count(), 1)
    await button('Undo').last().click()
    await becomes(() => entries.count(), 2)
    await tab.setViewportSize({ width: 390, height: 844 })
    expect(await beside.isVisible()).toBe(false)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'of the unread, the one that is chosen stays while its owner is at work on it',
  async () => {
    const { tab, publish, entries, problems, open } = await opened()
    const panel = await panelOf(await publish({ allow_comments: true }))
    await panel.comment('First')
    await panel.comment('Second')
    await tab.clock.install()
    await open('/app/inbox?state=unread')
    await entries.nth(1).waitFor()
    await tab.keyboard.press('j')
    await tab.keyboard.press('r')
    await tab.keyboard.type('I am')
    await panel.comment('Third')
    const isRead = tab.waitForResponse((answer) => answer.url().includes('state=unread&'))
    await tab.clock.fastForward(30_000)
    await isRead
    await entries.getByText('Third').waitFor()
    await tab.keyboard.type(' at work')
    expect(await entries.getByRole('textbox').inputValue()).toBe('I am at work')
    expect(await entries.count()).toBe(3)
    await entries.getByText('First').click()
    await becomes(() => entries.count(), 2)
    expect(await entries.getByText('Second').count()).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'threads of one page are copied for an agent together',
  async () => {
    const { tab, publish, button, entries, open } = await opened()
    const page = await publish({ allow_comments: true })
    const other = await publish({ allow_comments: true })
    const panel = await panelOf(page)
    for (const body of ['First', 'Second']) await panel.comment(body)
    await (await panelOf(other)).comment('Elsewhere')
    await open('/app/inbox')
    await entries.nth(2).waitFor()
    expect(await button('Copy all for an agent').count()).toBe(0)
    await button('Page').click()
    await tab.getByRole('option').nth(1).click()
    await button('Copy all for an agent').click()
    await tab.getByText('2 comments copied').waitFor()
    const text = await tab.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain('Second')
    expect(text).not.toContain('Elsewhere')
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'a filter finds what the list has not read yet, stands in the address, and goes back',
  async () => {
    const { tab, owner, publish, button, entries, problems, open } = await opened()
    const quiet = await publish({ allow_comments: true, title: word('quiet') })
    const busy = await publish({ allow_comments: true })
    const write = (page: { id: string }, body: string) =>
      owner.call('POST', `/pages/${page.id}/comments`, { body })
    dataOf(await write(quiet, 'The oldest of all'), 201)
    await Promise.all(Array.from({ length: 110 }, (_, at) => write(busy, `Comment ${at}`)))
    await open('/app/inbox')
    await becomes(() => entries.count(), 100)
    expect(await tab.getByText('The oldest of all').count()).toBe(0)
    await button('Page').click()
    await tab.getByLabel('Search pages').fill(`${quiet.title}`.slice(0, 12))
    await tab.keyboard.press('Enter')
    await tab.getByText('The oldest of all').waitFor()
    expect(await entries.count()).toBe(1)
    await button('Kind').click()
    await tab.getByRole('menuitemradio', { name: 'Decisions' }).click()
    await tab.getByText('Nothing waits for you here').waitFor()
    expect(new URL(tab.url()).search).toBe(`?page=${quiet.id}&show=decisions`)
    await tab.goBack()
    await tab.getByText('The oldest of all').waitFor()
    await tab.reload()
    await tab.getByText('The oldest of all').waitFor()
    await button(`Remove the filter Page: ${quiet.title}`).click()
    await becomes(() => entries.count(), 100)
    const alone = entries.first().getByRole('button', { name: /^Show .+ alone$/ })
    await entries.first().hover()
    await alone.click()
    await tab.getByRole('button', { name: /^Remove the filter Page/ }).waitFor()
    expect(new URL(tab.url()).search).toBe(`?page=${busy.id}`)
    expect(await alone.count()).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'on a phone a reply opens with its button in view, and Back leads to where one was',
  async () => {
    const { tab, publish, button, entries, problems, open } = await opened()
    const panel = await panelOf(await publish({ allow_comments: true }))
    for (let n = 0; n < 9; n++) await panel.comment(`Comment ${n}`)
    await tab.setViewportSize({ width: 390, height: 844 })
    await open('/app/inbox')
    const one = entries.filter({ hasText: 'Comment 2' })
    await one.getByRole('button', { name: 'Show page' }).click()
    await button('Back').click()
    await becomes(async () => (await one.boundingBox())!.y < 700, true)
    const reply = one.getByRole('button', { name: 'Reply', exact: true })
    await reply.evaluate((button) => button.scrollIntoView({ block: 'end' }))
    await reply.click()
    await one.getByRole('textbox').waitFor()
    const { y, height } = (await reply.boundingBox())!
    const bar = (await tab.getByRole('navigation', { name: 'Main' }).boundingBox())!
    expect(y + height).toBeLessThan(bar.y)
    // There, each button has a border.
    await tab.emulateMedia({ forcedColors: 'active' })
    const name = (await one.getByRole('link').first().boundingBox())!
    const show = (await one.getByRole('button', { name: 'Show page' }).boundingBox())!
    expect(name.y + name.height).toBeLessThanOrEqual(show.y)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

own(
  'axe finds nothing on the inbox, full and empty',
  async () => {
    const { publish, entries, button, open, expectAccessible, tab } = await opened({
      bypassCSP: true,
    })
    await open('/app/inbox')
    await tab.getByText('Nothing waits for you').waitFor()
    await expectAccessible()
    const page = await publish({ allow_comments: true })
    await (await panelOf(page)).comment('Why nine?', { name: 'Cem' })
    await (await panelOf(await publish({ allow_comments: true }))).comment('Gone', {
      anchor: { quote: 'what was never there', prefix: '', suffix: '' },
    })
    await open('/app/inbox?show=comments')
    await entries.first().waitFor()
    await tab.getByRole('button', { name: 'Show version 1' }).waitFor()
    await expectAccessible()
    await button('Page').click()
    await tab.getByRole('option').first().waitFor()
    await expectAccessible()
    await tab.context().close()
  },
  TIMEOUT,
)
