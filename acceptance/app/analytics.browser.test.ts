import { expect, test } from 'bun:test'
import { person } from '../gates/person.ts'
import { newEmail, signedIn } from '../gates/setup.ts'
import { html, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { openDashboard } from './dashboard.ts'

const TIMEOUT = 240_000

const browser = testBrowser()

test(
  'a page’s analytics tell who opened it, who has not, and who was turned back',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      bypassCSP: true,
    })
    const [ann, ben] = [newEmail('ann'), newEmail('ben')]
    const page = await owner.publish({
      html: html('words', word('plan')),
      access: 'people',
      allowed_emails: [ann, ben],
      require_signin: true,
    })
    const invited = await signedIn(ann)
    for (let opens = 0; opens < 3; opens += 1) await invited.open(`/p/${page.slug}`)
    expect((await person().open(`/p/${page.slug}`)).status).toBe(403)
    await open(`/app/pages/${page.id}/analytics`)
    const summary = tab.getByText(/^Opened 3 times in the last 30 days/)
    await summary.waitFor()
    expect(await summary.innerText()).toContain('1 of 2 invited have not opened it.')
    expect(await summary.innerText()).toContain('Turned back 1 time')
    const row = tab.getByRole('row', { name: new RegExp(ann) })
    expect(await row.innerText()).toContain('3 times')
    const missing = tab.getByRole('region', { name: 'Invited, and have not opened it' })
    expect(await missing.getByRole('listitem').allInnerTexts()).toEqual([`${ben}\n\nNot mailed`])
    await tab.getByText('As a table').first().click()
    expect(await tab.getByRole('table').first().getByRole('row').count()).toBe(31)
    await expectAccessible()
    await tab.getByLabel('Time').selectOption('Last 7 days')
    await tab.getByText(/^Opened 3 times in the last 7 days/).waitFor()
    expect(new URL(tab.url()).search).toBe('?range=7d')
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'whoever opened the page before a thousand others did has opened it',
  async () => {
    const { owner, tab, open } = await openDashboard(browser())
    const ann = newEmail('ann')
    const settings = { access: 'people', allowed_emails: [ann] }
    const page = await owner.publish({ html: html('words'), ...settings })
    const at = new Date().toISOString()
    const facts = { views: 1, first_at: at, last_at: at, seconds: 0, imported_at: null }
    const viewerOf = (email: string) => ({ ...facts, email, version_no: 1, last_sheet: null })
    const others = Array.from({ length: 1000 }, (_, no) => viewerOf(`p${no}@example.com`))
    await tab.route(/\/viewers\?/, (route) => {
      const isFirst = new URL(route.request().url()).searchParams.get('offset') === '0'
      const part = { data: isFirst ? others : [viewerOf(ann)], next_offset: isFirst ? 1000 : null }
      return route.fulfill({ json: part })
    })
    await open(`/app/pages/${page.id}/analytics`)
    await tab.getByText('All 1 invited have opened it.').waitFor()
    expect(await tab.getByRole('row', { name: /@example/ }).count()).toBe(100)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'the account’s analytics lead to its pages; the free plan has views alone, and says so',
  async () => {
    const { owner, tab, problems, open, expectAccessible } = await openDashboard(browser(), {
      plan: 'free',
      bypassCSP: true,
    })
    const title = word('plan')
    const page = await owner.publish({ html: html('words', title) })
    await open('/app/analytics')
    await tab.getByText('Nobody opened a page in the last 30 days.').waitFor()
    await person().open(`/p/${page.slug}`)
    await tab.reload()
    await tab.getByText('Opened 1 time in the last 30 days.').waitFor()
    await tab.getByText('Viewers, where they come from').waitFor()
    await expectAccessible()
    await tab.getByRole('link', { name: title }).click()
    await tab.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(new URL(tab.url()).pathname).toBe(`/app/pages/${page.id}/analytics`)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
