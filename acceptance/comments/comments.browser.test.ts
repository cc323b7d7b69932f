import { expect } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { dataOf, type Page } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { type Person, person } from '../gates/person.ts'
import { newEmail, newOwner, own, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { listOf, panelOf } from './panel.ts'

const TIMEOUT = 240_000
const COMMENTS = { allow_comments: true }

const browser = testBrowser()

/** Opens a page with its comments, in a browser of its own. */
async function openComments(
  { url }: Pick<Page, 'url'>,
  who: Person = person(),
  { path = '', ...options }: { path?: string; bypassCSP?: boolean } = {},
) {
  const context = await browser().newContext({ reducedMotion: 'reduce', ...options })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map((cookie) => ({ ...cookie, domain, path: cookie.path })),
  )
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  await tab.goto(url + path)
  await tab.getByRole('button', { name: /^Comments/ }).click()
  await tab.getByRole('heading', { name: 'Comments' }).waitFor()
  return { tab, context, problems }
}

const button = (tab: Tab, name: string) => tab.getByRole('button', { name, exact: true })
const words = (tab: Tab) => () => tab.locator('.comment .words:visible').allTextContents()

async function post(tab: Tab, text: string, name = ''): Promise<void> {
  await tab.getByLabel('Comment', { exact: true }).fill(text)
  if (name !== '') await tab.getByLabel('Your name', { exact: true }).fill(name)
  await button(tab, 'Post comment').click()
}

own(
  'two people and the owner write, reply, moderate and see each other within seconds',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('words'), ...COMMENTS })
    const [ann, bob] = [await openComments(page), await openComments(page)]
    const owner = await openComments(page, await signedIn(by.email))
    await post(ann.tab, 'See https://example.com/a_(b). <b>Now</b>', 'Ann')
    for (const { tab } of [ann, bob, owner]) {
      await becomes(words(tab), ['See https://example.com/a_(b). <b>Now</b>'])
    }
    expect(await ann.tab.getByLabel('Comment', { exact: true }).inputValue()).toBe('')
    // Nobody knows who Ann is, so her address is no link.
    expect(await bob.tab.locator('.words a, .words b').count()).toBe(0)
    expect(await bob.tab.locator('.comment header').textContent()).toStartWith('AnnNot confirmed')

    await button(bob.tab, 'Reply').click()
    const reply = bob.tab.locator('form')
    await reply.getByLabel('Comment', { exact: true }).fill('Agreed')
    await reply.getByLabel('Your name', { exact: true }).fill('The 0wner')
    await reply.getByRole('button', { name: 'Reply', exact: true }).click()
    await reply.getByText(/not sent yet.*“The 0wner”.*another name/).waitFor()
    expect(await reply.getByLabel('Comment', { exact: true }).inputValue()).toBe('Agreed')
    await reply.getByLabel('Your name', { exact: true }).fill('Bob')
    await reply.getByRole('button', { name: 'Reply', exact: true }).click()
    for (const { tab } of [ann, bob, owner]) {
      await becomes(words(tab), ['See https://example.com/a_(b). <b>Now</b>', 'Agreed'])
    }
    expect(await button(ann.tab, 'Edit').count()).toBe(1)
    await button(ann.tab, 'Edit').click()
    await ann.tab.getByLabel('Your comment').fill('Better words')
    await button(ann.tab, 'Save').click()
    for (const { tab } of [bob, owner]) await becomes(words(tab), ['Better words', 'Agreed'])

    expect(await button(bob.tab, 'Hide').count()).toBe(0)
    await button(owner.tab, 'Hide').first().click()
    await becomes(words(bob.tab), ['Agreed'])
    expect(await bob.tab.getByText('A comment that was hidden.').isVisible()).toBe(true)
    await becomes(words(owner.tab), ['Better words', 'Agreed'])
    await button(owner.tab, 'Restore').click()
    await becomes(words(bob.tab), ['Better words', 'Agreed'])
    await post(owner.tab, 'From the owner')
    await becomes(words(bob.tab), ['Better words', 'Agreed', 'From the owner'])
    expect(await bob.tab.locator('.mark.owner').count()).toBe(1)
    await button(owner.tab, 'Resolve').first().click()
    await becomes(words(bob.tab), ['From the owner'])
    await bob.tab.locator('summary').click()
    await becomes(words(bob.tab), ['Better words', 'Agreed', 'From the owner'])
    await button(owner.tab, 'Delete comment').last().click()
    await button(owner.tab, 'Delete comment for good').click()
    await becomes(words(bob.tab), ['Better words', 'Agreed'])
    expect(await listOf(by, page)).toMatchObject([{ state: 'resolved', body: 'Better words' }])
    for (const { problems } of [ann, bob, owner]) expect(problems).toEqual([])
  },
  TIMEOUT,
)

own(
  'a text that could not be delivered stays in the box and says so, also after a reload',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('words'), ...COMMENTS })
    const { tab, context } = await openComments(page)
    await context.setOffline(true)
    await post(tab, 'Into the void')
    await becomes(() => tab.getByText('This is not sent yet.').isVisible(), true)
    expect(await words(tab)()).toEqual([])
    expect(await tab.getByLabel('Comment', { exact: true }).inputValue()).toBe('Into the void')
    await context.setOffline(false)
    await tab.reload()
    await becomes(() => tab.getByText('This is not sent yet.').isVisible(), true)
    expect(await tab.getByLabel('Comment', { exact: true }).inputValue()).toBe('Into the void')
    expect(await listOf(by, page)).toEqual([])
    await button(tab, 'Post comment').click()
    await becomes(words(tab), ['Into the void'])
    await tab.reload()
    await becomes(words(tab), ['Into the void'])
    expect(await tab.getByLabel('Comment', { exact: true }).inputValue()).toBe('')
    expect(await listOf(by, page)).toHaveLength(1)
  },
  TIMEOUT,
)

own(
  'a commenter whose answer was lost posts once, and what was changed meanwhile is kept',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('words'), ...COMMENTS })
    const { tab } = await openComments(page)
    await tab.route('**/~/comments/post', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await post(tab, 'First words')
    await becomes(() => tab.getByText('This is not sent yet.').isVisible(), true)
    await tab.unroute('**/~/comments/post')
    await post(tab, 'Second words')
    await becomes(words(tab), ['Second words'])
    expect(await listOf(by, page)).toMatchObject([{ body: 'Second words' }])
  },
  TIMEOUT,
)

own(
  'where an address is required it is confirmed in the panel, and stays private',
  async () => {
    const by = await newOwner()
    const settings = { ...COMMENTS, comments_require_email: true }
    const page = await by.publish({ html: html('words'), ...settings })
    const { tab } = await openComments(page)
    const question = 'A serious question: https://example.com/a_(b).'
    await post(tab, question, 'Ann')
    const email = newEmail('ann')
    await tab.getByLabel('Your email').fill(email)
    await button(tab, 'Make a link').click()
    const { code } = await sharedOutbox().last(email)
    await tab.getByLabel('Code').fill(code!)
    await button(tab, 'Confirm').click()
    await becomes(words(tab), [question])
    const other = await openComments(page)
    await becomes(words(other.tab), [question])
    const link = other.tab.locator('.words a')
    expect(await link.getAttribute('href')).toBe('https://example.com/a_(b)')
    expect(await link.getAttribute('rel')).toContain('nofollow ugc noopener')
    expect(await other.tab.getByText('Confirmed', { exact: true }).isVisible()).toBe(true)
    expect(await other.tab.locator('.panel').innerHTML()).not.toContain(email)
    expect((await listOf(by, page))[0]!.author).toEqual({ kind: 'confirmed', name: 'Ann', email })
  },
  TIMEOUT,
)

own(
  'a deck has one thread, whose comments lead to their files',
  async () => {
    const by = await newOwner()
    const files = ['index.html', 'about.html'].map((path) => ({ path, html: html(path) }))
    const page = await by.publish({ files, ...COMMENTS })
    const about = await openComments(page, person(), { path: '/about.html' })
    await post(about.tab, 'On about')
    await becomes(words(about.tab), ['On about'])
    const start = await openComments(page, person(), { path: '/index.html' })
    await becomes(words(start.tab), ['On about'])
    await start.tab.getByRole('link', { name: 'in about.html' }).click()
    await start.tab.waitForURL(/about\.html$/)
    await becomes(words(start.tab), ['On about'])
    expect(await start.tab.getByRole('link', { name: 'in about.html' }).count()).toBe(0)
    expect(await listOf(by, page)).toMatchObject([{ path: 'about.html' }])
  },
  TIMEOUT,
)

own(
  'a panel with 600 comments shows the newest ones at once, and all of them soon',
  async () => {
    const by = await newOwner()
    const page = await by.publish({ html: html('words'), ...COMMENTS })
    const path = `/pages/${page.id}/comments`
    for (let at = 0; at < 600; at += 20) {
      const some = Array.from({ length: 20 }, (_, i) =>
        by.call('POST', path, { body: `${at + i}` }),
      )
      await Promise.all(some)
    }
    const { tab } = await openComments(page)
    await becomes(async () => (await tab.locator('.threads > li').count()) >= 60, true)
    await becomes(() => tab.locator('.threads > li').count(), 600)
    const output = (await panelOf(page)).read()
    const ids = await tab
      .locator('.threads > li')
      .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.thread))
    expect(ids).toEqual((await output).threads.map(({ id }) => id))
  },
  TIMEOUT,
)

own(
  'the link in a mail opens the panel at its thread, and the page learns nothing of it',
  async () => {
    const by = await newOwner()
    const source = `<title>x</title><p>Nine</p><script>
      const name = () => (document.title = 'seen ' + location.hash + location.search)
      addEventListener('hashchange', name)
      name()
    </script>`
    const page = await by.publish({ html: source, ...COMMENTS })
    const { id } = await (await panelOf(page)).comment('Why nine?', { name: 'Ann' })
    const path = `/pages/${page.id}/comments`
    // More than one answer to the panel holds.
    const long = 'x'.repeat(4900)
    for (let at = 0; at < 120; at += 20) {
      const some = Array.from({ length: 20 }, () => by.call('POST', path, { body: long }))
      await Promise.all(some)
    }
    dataOf(await by.call('POST', path, { body: 'Because', parent_id: id }), 201)
    expect((await (await panelOf(page)).read()).earlier).not.toBeNull()
    const context = await browser().newContext({ reducedMotion: 'reduce' })
    const tab = await context.newPage()
    await tab.goto(`${page.url}#~comments/${id}`)
    const thread = tab.locator(`[data-thread="${id}"]`)
    await thread.getByText('Because').waitFor()
    await becomes(() => thread.evaluate((item) => item.matches(':focus')), true)
    await becomes(() => tab.title(), 'seen')
    await context.close()
  },
  TIMEOUT,
)

own(
  'the tab is accessible to a viewer and to the owner',
  async () => {
    const by = await newOwner()
    const source = '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1></main></html>'
    const page = await by.publish({ html: source, title: word('title'), ...COMMENTS })
    const panel = await panelOf(page)
    const anchor = { quote: 'x', prefix: '', suffix: '' }
    const { id } = await panel.comment('Why? https://example.com/', { name: 'Ann', anchor })
    await panel.comment('Because', { parent_id: id })
    const done = await panel.comment('Done')
    await by.call('PATCH', `/pages/${page.id}/comments/${done.id}`, { state: 'resolved' })
    for (const who of [person(), await signedIn(by.email)]) {
      const { tab } = await openComments(page, who, { bypassCSP: true })
      await becomes(words(tab), ['Why? https://example.com/', 'Because'])
      await button(tab, 'Reply').first().click()
      expect(await violationsIn(tab)).toEqual([])
    }
  },
  TIMEOUT,
)
