import { afterAll, expect } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { becomes } from '../browser.ts'
import { visitor } from '../client.ts'
import { base64, isoIn, jpeg, pdf, word } from '../material.ts'
import { server } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'
import { violationsIn } from './axe.ts'
import { sharedOutbox } from './mail.ts'
import { type Person, person } from './person.ts'
import { newEmail, own, owner, pathIn, publishGated, signedIn, submitEmail } from './setup.ts'

const TIMEOUT = 240_000
const PASSWORD = 'abcd efgh'

/** An accessible page: the heading and the landmark are the page's, the shell has none. */
const PAGE = `<!doctype html><html lang="en"><title>Words</title><main><h1>Words</h1></main></html>`

const browser = testBrowser()
afterAll(cleanUp)

/** A new tab without CSP: the service's policies would block axe's script. */
async function newTab(who: Person = person()): Promise<Tab> {
  const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const cookies = [...who.jar.values()].map(({ name, value, path }) => {
    const { hostname: domain } = new URL(server.url)
    return { name, value, path, domain }
  })
  await context.addCookies(cookies)
  return context.newPage()
}

/** Runs the steps, and expects no violation after each. */
async function expectAccessible(tab: Tab, steps: Record<string, () => Promise<unknown>>) {
  const result: Record<string, string[]> = {}
  const none: Record<string, string[]> = {}
  for (const [name, step] of Object.entries(steps)) {
    await step()
    result[name] = await violationsIn(tab)
    none[name] = []
    expect(await tab.title(), name).not.toBe('')
  }
  await tab.context().close()
  expect(result).toEqual(none)
}

const goTo = (tab: Tab, path: string) => tab.goto(server.url + path)
async function settled(tab: Tab, path: string) {
  await goTo(tab, path)
  await tab.waitForLoadState('networkidle')
}
async function sendForm(tab: Tab, action: string, values: Record<string, string>) {
  const form = tab.locator(`form[action$="${action}"]`)
  for (const [name, value] of Object.entries(values)) {
    await form.locator(`[name="${name}"]`).fill(value)
  }
  await Promise.all([tab.waitForNavigation(), form.locator('button').click()])
}

own(
  'axe: the password gate and the private gate, with and without an error',
  async () => {
    const by = await owner()
    const ogTitle = word('Plans')
    const locked = await publishGated(by, {
      access: 'password',
      password: PASSWORD,
      og_title: ogTitle,
    })
    const hidden = await publishGated(by, { access: 'private' })
    const tab = await newTab()
    await expectAccessible(tab, {
      password: () => goTo(tab, locked.path),
      'a wrong password': () => sendForm(tab, '/password', { password: 'wrong' }),
      private: () => goTo(tab, hidden.path),
    })
  },
  TIMEOUT,
)

own(
  'axe: the gates that ask for an email, their errors, and check your mail',
  async () => {
    const by = await owner()
    const page = await publishGated(by, {
      access: 'email_gate',
      business_only: true,
      accent: 'orange',
    })
    const tab = await newTab()
    await expectAccessible(tab, {
      email: () => goTo(tab, page.path),
      'an email that is refused': () => sendForm(tab, '/email', { email: 'ann@gmail.com' }),
      'check your mail': () => sendForm(tab, '/email', { email: newEmail() }),
      'a wrong code': () => sendForm(tab, '/code', { code: '000000' }),
    })
  },
  TIMEOUT,
)

own(
  'axe: the gates for invited people, with the access request form',
  async () => {
    const by = await owner()
    const settings = { access: 'people', allow_access_requests: true }
    const page = await publishGated(by, settings)
    const signing = await publishGated(by, { ...settings, require_signin: true })
    const tab = await newTab()
    const openForm = () => tab.locator('summary').click()
    await expectAccessible(tab, {
      people: () => goTo(tab, page.path),
      'the request form': openForm,
      'the request sent': () => sendForm(tab, '/request', { email: newEmail() }),
      'sign in first': () => goTo(tab, signing.path),
      'sign in first, with the request form': openForm,
    })
  },
  TIMEOUT,
)

own(
  'axe: the gate for an address without access, and the page of a mailed link',
  async () => {
    const by = await owner()
    const eve = newEmail('eve')
    const settings = { access: 'email_gate', allow_comments: true }
    const open = await publishGated(by, { html: PAGE, ...settings })
    const page = await publishGated(by, { access: 'people' })
    const who = person()
    await submitEmail(who, open, eve)
    const link = pathIn((await sharedOutbox().last(eve)).links[0]!)
    const tab = await newTab(who)
    await expectAccessible(tab, {
      confirm: () => goTo(tab, link),
      'the page behind it, in the shell': async () => {
        await sendForm(tab, link, {})
        await tab.waitForLoadState('networkidle')
      },
      'another address': () => goTo(tab, page.path),
      'a used link': () => goTo(tab, link),
    })
  },
  TIMEOUT,
)

own(
  'axe: the notices in place of a page, and the unsubscribe page',
  async () => {
    const by = await owner()
    const draft = await publishGated(by, { publish: false, accent: 'amber' })
    const expired = await publishGated(by, { expires_at: isoIn(-60_000), og_title: word('Plans') })
    const limited = await publishGated(by, { max_views: 1, notify_on_view: true })
    const before = sharedOutbox().sentTo(by.email).length
    await visitor.open(limited.page.slug)
    const mail = await sharedOutbox().last(by.email, before + 1)
    const stop = pathIn(mail.headers.get('list-unsubscribe')!.slice(1, -1))
    const tab = await newTab()
    await expectAccessible(tab, {
      'not found': () => goTo(tab, '/p/nothing-here'),
      'not published': () => goTo(tab, draft.path),
      expired: () => goTo(tab, expired.path),
      'view limit': () => goTo(tab, limited.path),
      unsubscribe: () => goTo(tab, stop),
    })
  },
  TIMEOUT,
)

own(
  'axe: signing in, and the account',
  async () => {
    const by = await owner()
    const tab = await newTab()
    await expectAccessible(tab, {
      'sign in': () => goTo(tab, '/app/sign-in'),
      'no email': () => sendForm(tab, '/sign-in', { email: 'ann@localhost' }),
      'check your mail': () => sendForm(tab, '/sign-in', { email: newEmail('nobody') }),
      'a wrong code': () => sendForm(tab, '/confirm-code', { code: '000000' }),
      'a link that is closed': () => goTo(tab, '/app/confirm/x'),
    })
    const ownTab = await newTab(await signedIn(by.email))
    await expectAccessible(ownTab, { account: () => goTo(ownTab, '/app') })
  },
  TIMEOUT,
)

own(
  'axe: the first page and the reference',
  async () => {
    const tab = await newTab()
    await expectAccessible(tab, {
      home: () => goTo(tab, '/'),
      docs: () => goTo(tab, '/docs'),
    })
  },
  60_000,
)

own(
  'axe: the viewer of a PDF and of an image, and the shell, with and without the owner’s bar',
  async () => {
    const by = await owner()
    const file = { file_base64: base64(pdf()), filename: `${word('manual')}.pdf` }
    const paper = await by.publish(file)
    const viewOnly = await by.publish({ ...file, title: word('kept'), download_disabled: true })
    const image = await by.publish({ file_base64: base64(jpeg()), filename: `${word('a')}.jpg` })
    const commented = await by.publish({
      html: PAGE,
      title: word('commented'),
      allow_comments: true,
    })
    const draft = await publishGated(by, { html: PAGE, publish: false })
    const tab = await newTab()
    await expectAccessible(tab, {
      'a PDF': () => settled(tab, `/p/${paper.slug}`),
      'a PDF to look at only': () => settled(tab, `/p/${viewOnly.slug}`),
      'an image': () => settled(tab, `/p/${image.slug}`),
      'the shell': () => settled(tab, `/p/${commented.slug}`),
    })
    const ownTab = await newTab(await signedIn(by.email))
    await expectAccessible(ownTab, {
      'a draft, to its owner': () => settled(ownTab, draft.path),
      'a page, to its owner': () => settled(ownTab, `/p/${commented.slug}`),
    })
  },
  60_000,
)

own(
  'axe: the first start, and too many tries',
  async () => {
    const { RATE_LIMITS: _, DATABASE_URL: __, ...env } = freshEnvironment()
    const running = await start(env)
    const setupIn = () => /http:\/\/\S+\/setup\/[\w-]{43}\s/.exec(running.output())?.[0].trim()
    await becomes(() => setupIn() !== undefined, true)
    const setup = setupIn()!
    const tab = await newTab()
    const page = { slug: '' }
    const tries = async () => {
      await tab.context().clearCookies()
      const path = `/p/${page.slug}`
      const who = person(env.BASE_URL)
      const gate = await who.open(path)
      for (let i = 0; i < 10; i += 1) await who.submit(gate, { password: 'wrong' })
      await tab.goto(env.BASE_URL + path)
      await sendForm(tab, '/password', { password: 'wrong' })
      expect(await tab.title()).toBe('Too many tries')
    }
    await expectAccessible(tab, {
      home: () => tab.goto(env.BASE_URL!),
      'the set-up': () => tab.goto(setup),
      'the first key': async () => {
        await sendForm(tab, pathIn(setup).split('/').at(-1)!, { email: newEmail() })
        const key = /sm_\w+/.exec(await tab.getByLabel('API key').inputValue())![0]
        const answer = await fetch(`${env.BASE_URL}/api/v1/pages`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ html: PAGE, access: 'password', password: PASSWORD }),
        })
        page.slug = ((await answer.json()) as { data: { slug: string } }).data.slug
      },
      'a set-up that is done': () => tab.goto(setup),
      'too many tries': tries,
    })
    await running.stop()
  },
  60_000,
)
