import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { dataOf } from '../client.ts'
import { newEmail } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

interface Person {
  who: string
  link_id: string | null
  state: string
  opened: { views: number; first_at: string | null; devices: number | null }
}
interface People {
  views: number
  without_link: number
  people: Person[]
}
interface Link {
  id: string
  label: string
  url: string
}

/** A page with links for some people, and the dashboard of its owner. */
async function pageWithLinks(labels: readonly string[], options = {}) {
  const dashboard = await openDashboard(browser(), options)
  const { owner } = dashboard
  const words = word('plan')
  const page = await owner.publish({ html: html(words), title: 'Plan' })
  const { id } = page
  const batch = { people: labels.map((label) => ({ label })) }
  const made = await owner.call('POST', `/pages/${id}/links/batch`, batch)
  const { links } = dataOf<{ links: Link[] }>(made, 201)
  const urlOf = (label: string) => links.find((link) => link.label === label)!.url
  const read = async (query = '') =>
    dataOf<People>(await owner.call('GET', `/pages/${id}/people${query}`), 200)
  return { ...dashboard, id, page, words, urlOf, read }
}

/** Opens an address in a browser without cookies, and waits until the page shows. */
async function openIn(address: string, words: string) {
  const context = await browser().newContext()
  const tab = await context.newPage()
  await tab.goto(address)
  // By a link the page is framed, so that a browser that shows it is told from a scanner.
  const isFramed = address.includes('/l/')
  const text = (isFramed ? tab.frameLocator('iframe') : tab).getByText(words)
  await text.waitFor()
  return { context, tab, shown: text }
}

test(
  'three people open their links, one hands it on, and the screen, the API and the CSV agree',
  async () => {
    const { owner, tab, open, id, page, words, urlOf, read, problems } = await pageWithLinks([
      ...['Ann (Acme)', 'Ben', 'Cem', 'Dora'],
    ])
    const visitors = []
    for (const label of ['Ann (Acme)', 'Ben', 'Cem']) {
      visitors.push(await openIn(urlOf(label), words))
    }
    await visitors[0]!.tab.reload()
    await visitors[0]!.shown.waitFor()
    // Ben’s link is handed on to a fourth browser.
    visitors.push(await openIn(urlOf('Ben'), words))
    visitors.push(await openIn(page.url, words))

    await becomes(async () => {
      const { people } = await read()
      return people.filter(({ opened }) => opened.first_at !== null).length
    }, 3)
    const told = await read()
    const opened = Object.fromEntries(told.people.map((each) => [each.who, each.opened]))
    expect(opened).toMatchObject({
      'Ann (Acme)': { views: 2, devices: 1 },
      Ben: { views: 2, devices: 2 },
      Cem: { views: 1, devices: 1 },
      Dora: { views: 0, first_at: null },
    })
    const { views } = await owner.page(id)
    const byLinks = told.people.reduce((sum, each) => sum + each.opened.views, 0)
    expect([told.views, told.without_link, byLinks]).toEqual([views, 1, 5])

    await open(`/app/pages/${id}`)
    await tab.getByRole('link', { name: 'People', exact: true }).click()
    const rowOf = (label: string) =>
      tab.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: label })
    await tab.getByText('Opened 6 times').waitFor()
    await tab.getByText('5 times with a person’s link · 1 time without').waitFor()
    expect(await rowOf('Ann (Acme)').innerText()).toMatch(
      /Opened with Ann \(Acme\)’s link\s+2 views, first just now/,
    )
    expect(await rowOf('Ann (Acme)').innerText()).not.toContain('devices')
    expect(await rowOf('Ben').innerText()).toMatch(/2 views[\s\S]*On 2 devices/)
    expect(await rowOf('Cem').innerText()).toContain('1 view')
    expect(await rowOf('Dora').innerText()).toMatch(/Not mailed[\s\S]*Not opened yet/)

    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${page.slug}-people.csv`)
    const lines = (await Bun.file(await download.path()).text()).trim().split('\r\n')
    const columns = lines[0]!.replace('\ufeff', '').split(',')
    const table = lines.slice(1).map((line) => {
      const cells = line.split(',')
      const cell = (name: string) => cells[columns.indexOf(name)]
      return [cell('who'), Number(cell('views')), cell('first_opened_at') ?? '']
    })
    expect(table).toEqual(
      told.people.map((each) => [each.who, each.opened.views, each.opened.first_at ?? '']),
    )

    await tab.getByRole('button', { name: 'Not opened yet' }).click()
    await becomes(() => rowOf('Ann (Acme)').count(), 0)
    expect(await rowOf('Dora').count()).toBe(1)
    expect(tab.url()).toEndWith('?show=not-opened')
    await tab.getByRole('button', { name: 'Not opened yet' }).click()

    await tab.getByRole('button', { name: 'Switch off the link of Ben' }).click()
    await tab.getByRole('button', { name: 'Switch on the link of Ben' }).waitFor()
    for (const at of [1, 3]) {
      const { tab: theirs, context } = visitors[at]!
      expect((await theirs.reload())!.status()).toBe(410)
      expect(await theirs.content()).not.toContain(words)
      expect((await context.request.get(urlOf('Ben'), { maxRedirects: 0 })).status()).toBe(410)
    }
    for (const at of [0, 2, 4]) expect((await visitors[at]!.tab.reload())!.status()).toBe(200)
    await tab.getByRole('button', { name: 'Copy link of Cem' }).click()
    await becomes(() => tab.evaluate('navigator.clipboard.readText()'), urlOf('Cem'))
    expect(problems).toEqual([])
    for (const { context } of visitors) await context.close()
  },
  TIMEOUT,
)

test(
  'who is invited and never came stands in a list, from which their link is copied',
  async () => {
    const { owner, tab, open, problems } = await openDashboard(browser())
    const invited = [newEmail('ann'), newEmail('ben')]
    const words = word('plan')
    const settings = { access: 'people', allowed_emails: invited }
    const { id } = await owner.publish({ html: html(words), ...settings })
    await open(`/app/pages/${id}/people`)
    const list = tab.getByRole('region', { name: 'Invited, and have not opened it' })
    await becomes(() => list.getByRole('listitem').count(), 2)
    await list.getByRole('button', { name: `Copy link for ${invited[0]}` }).click()
    const copied = () => tab.evaluate<string>('navigator.clipboard.readText()')
    await becomes(async () => (await copied()).includes('/app/confirm/'), true)
    const ann = await (await browser().newContext()).newPage()
    await ann.goto(await copied())
    await ann.getByRole('button', { name: 'Open the page' }).click()
    await ann.getByText(words).waitFor()
    await tab.reload()
    await becomes(() => list.getByRole('listitem').count(), 1)
    expect(await list.innerText()).toContain(invited[1]!)
    expect(problems).toEqual([])
    await ann.context().close()
  },
  TIMEOUT,
)

test(
  'the tab is there once a link is, says what it is for before, and is accessible',
  async () => {
    const options = { bypassCSP: true }
    const { tab, open, owner, id, expectAccessible } = await pageWithLinks(['Ann'], options)
    const { id: other } = await owner.publish({ html: html('x') })
    await open(`/app/pages/${other}`)
    await tab.getByRole('link', { name: 'Analytics', exact: true }).first().waitFor()
    expect(await tab.getByRole('link', { name: 'People', exact: true }).count()).toBe(0)
    await open(`/app/pages/${other}/people`)
    await tab.getByRole('heading', { name: 'Nobody has a link of their own yet' }).waitFor()
    await tab.getByRole('link', { name: 'Send to people' }).click()
    const share = tab.getByRole('dialog', { name: 'Share' })
    const isFocused = (node: Element) => node === document.activeElement
    await becomes(() => share.getByLabel('People', { exact: true }).evaluate(isFocused), true)
    await open(`/app/pages/${id}/people`)
    await tab.getByText('copy the links from this list').waitFor()
    await tab.getByText('Nobody has opened it yet.').waitFor()
    await expectAccessible()
    await owner.call('DELETE', `/pages/${id}`)
  },
  TIMEOUT,
)
