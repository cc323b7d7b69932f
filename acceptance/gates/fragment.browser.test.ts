/** A link to a thread, with a query, behind gates: the viewer arrives at the thread. */
import { expect } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes, newWindow } from '../browser.ts'
import { dataOf, type Fields } from '../client.ts'
import { server } from '../server.ts'
import { testBrowser } from '../test-browser.ts'
import { sharedOutbox } from './mail.ts'
import { newEmail, newOwner, own } from './setup.ts'

const TIMEOUT = 240_000
const browser = testBrowser()

/** The page tells what it sees of the address in its title. */
const SOURCE = `<title>x</title><p>Nine</p><script>
  const name = () => (document.title = 'seen ' + location.hash + location.search)
  addEventListener('hashchange', name)
  name()
</script>`

/** A page with a comment, at its gate by the link to that. */
async function atGate(settings: Fields) {
  const by = await newOwner()
  const page = await by.publish({ html: SOURCE, allow_comments: true, ...settings })
  const posted = await by.call('POST', `/pages/${page.id}/comments`, { body: 'Why nine?' })
  const { id } = dataOf<{ id: string }>(posted, 201)
  const { tab } = await newWindow(browser())
  const link = `${page.url}?q=1#~comments/${id}`
  await tab.goto(link)
  return { page, tab, link }
}

/** Expects the panel at the thread, and a page that saw nothing of it. */
async function arrives(tab: Tab, link: string): Promise<void> {
  const id = link.slice(link.lastIndexOf('/') + 1)
  const thread = tab.locator(`[data-thread="${id}"]`)
  await thread.getByText('Why nine?').waitFor()
  await becomes(() => tab.title(), 'seen ?q=1')
}

own(
  'a password gate keeps the fragment, also after a wrong password, and tells it no server',
  async () => {
    const { tab, link } = await atGate({ access: 'password', password: 'open sesame' })
    const sent: string[] = []
    tab.on('request', (request) => sent.push(`${request.postData()}`))
    for (const password of ['wrong', 'open sesame']) {
      await tab.getByLabel('Password').fill(password)
      await tab.getByRole('button', { name: 'Open the page' }).click()
      if (password === 'wrong') await tab.getByText('That is not the password.').waitFor()
    }
    await arrives(tab, link)
    expect(sent.join('\n')).not.toContain('~comments')
    await tab.context().close()
  },
  TIMEOUT,
)

for (const access of ['email_gate', 'people']) {
  own(
    `an email gate (${access}) keeps the fragment in its tab, and in that of the mail`,
    async () => {
      const ann = newEmail()
      const invited = access === 'people' ? { allowed_emails: [ann] } : {}
      const { tab, link } = await atGate({ access, ...invited })
      await tab.getByLabel('Email').first().fill(ann)
      await tab.getByRole('button', { name: 'Make a link' }).click()
      const mail = await sharedOutbox().last(ann)
      expect(mail.links[0]).not.toContain('~comments')
      const other = await tab.context().newPage()
      await other.goto(mail.links[0]!)
      await other.getByRole('button', { name: 'Confirm and open' }).click()
      await arrives(other, link)
      await other.close()
      // The tab that waited goes on by itself.
      await arrives(tab, link)

      const second = await newWindow(browser())
      await second.tab.goto(link)
      await second.tab.getByLabel('Email').first().fill(ann)
      await second.tab.getByRole('button', { name: 'Make a link' }).click()
      const { code } = await sharedOutbox().last(ann, 2)
      await second.tab.getByLabel('Code').fill(code!)
      await second.tab.getByRole('button', { name: 'Open the page' }).click()
      await arrives(second.tab, link)
      await second.tab.context().close()
      await tab.context().close()
    },
    TIMEOUT,
  )
}

own(
  'a gate that wants a sign-in leads there with the fragment, and without one as before',
  async () => {
    const { tab, link, page } = await atGate({ access: 'private' })
    const next = async () => {
      const href = await tab.getByRole('link', { name: 'Sign in' }).getAttribute('href')
      return new URL(href!, server.url).searchParams.get('next')
    }
    expect(await next()).toBe(link.slice(server.url.length))
    await tab.evaluate(() => (location.hash = ''))
    await becomes(next, `${new URL(page.url).pathname}?q=1`)
    await tab.context().close()
  },
  TIMEOUT,
)
