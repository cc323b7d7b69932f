/** Single sign-on with a real provider, which asks for a login and a consent on its own pages. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { type OidcProvider, startOidcProvider } from '../../src/testing/oidc-provider.ts'
import { problemsOf } from '../browser.ts'
import { dataOf, type Fields, type Page, send } from '../client.ts'
import { violationsIn } from '../gates/axe.ts'
import { newOwner } from '../gates/setup.ts'
import { html } from '../material.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'

const TIMEOUT = 240_000

const browser = testBrowser()
let provider: OidcProvider
let env: Record<string, string>
beforeAll(async () => {
  const fresh = freshEnvironment()
  provider = await startOidcProvider(fresh.BASE_URL!)
  env = { ...fresh, ...provider.environment }
  await start(env)
}, TIMEOUT)
afterAll(async () => {
  await cleanUp()
  await provider.close()
})

async function newTab() {
  const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  // The pages of the provider ask for a typeface of a third party.
  await context.route(/googleapis\.com/, (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  )
  const tab = await context.newPage()
  tab.setDefaultTimeout(60_000)
  const problems = problemsOf(tab)
  return { tab, problems }
}
async function publish(key: string, fields: Fields): Promise<Page> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(fields) }
  return dataOf(await send(`${env.BASE_URL}/api/v1/pages`, init), 201)
}
/** Signs in on the pages of the provider, and consents. */
async function signInThere(tab: Tab, email: string): Promise<void> {
  await tab.getByRole('link', { name: 'Continue with Example Login' }).click()
  await tab.waitForURL(`${provider.issuer}/**`)
  await tab.getByPlaceholder('Enter any login').fill(email)
  await tab.getByPlaceholder('and password').fill('a password')
  await tab.getByRole('button', { name: 'Sign-in' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
}

test(
  'an owner continues with the provider, returns to where they were going, unlinks it and signs out',
  async () => {
    const owner = await newOwner(env)
    const { tab, problems } = await newTab()
    await tab.goto(`${env.BASE_URL}/app/account`)
    expect(await violationsIn(tab)).toEqual([])
    await signInThere(tab, owner.email)
    await tab.waitForURL(`${env.BASE_URL}/app/account`)
    await tab.getByRole('heading', { name: 'Single sign-on' }).waitFor()
    expect(await tab.getByLabel('Email').inputValue()).toBe(owner.email)
    expect(await violationsIn(tab)).toEqual([])
    await tab.getByRole('button', { name: 'Unlink Example Login' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Unlink Example Login' }).click()
    await tab.getByText('Unlinked').waitFor()
    await tab.getByRole('heading', { name: 'Single sign-on' }).waitFor({ state: 'detached' })
    await tab.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await tab.getByText('You may still be signed in at Example Login').waitFor()
    // The provider knows the browser still, and has the consent.
    await tab.getByRole('link', { name: 'Continue with Example Login' }).click()
    await tab.waitForURL(`${env.BASE_URL}/app`)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'who confirms that it is them proves it to the provider again, although it knows them still',
  async () => {
    const owner = await newOwner(env)
    const { tab, problems } = await newTab()
    await tab.goto(`${env.BASE_URL}/app/account`)
    await signInThere(tab, owner.email)
    await tab.waitForURL(`${env.BASE_URL}/app/account`)
    await tab.goto(`${env.BASE_URL}/app/sign-in/sso?again&next=/app/signed-in`)
    await tab.getByPlaceholder('Enter any login').fill(owner.email)
    await tab.getByPlaceholder('and password').fill('a password')
    await tab.getByRole('button', { name: 'Sign-in' }).click()
    await tab.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a guest of a page that asks to sign in continues with the provider, and sees the page',
  async () => {
    const owner = await newOwner(env)
    const email = `guest-of-${owner.email}`
    const page = await publish(owner.key, {
      html: html('For guests'),
      ...{ access: 'people', allowed_emails: [email], require_signin: true },
    })
    const { tab } = await newTab()
    await tab.goto(page.url)
    await tab.getByRole('link', { name: 'Sign in' }).click()
    await signInThere(tab, email)
    await tab.getByText('For guests').waitFor()
    expect(tab.url()).toBe(page.url)
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'who cancels, has no account or no verified address reads why, and has the other ways to sign in',
  async () => {
    const unverified = await newTab()
    await unverified.tab.goto(`${env.BASE_URL}/app/sign-in`)
    await signInThere(unverified.tab, 'unverified@example.com')
    await unverified.tab.getByRole('heading', { name: 'Your address is not verified' }).waitFor()
    expect(await violationsIn(unverified.tab)).toEqual([])
    await unverified.tab.getByRole('link', { name: 'Sign in another way' }).click()
    await unverified.tab.getByRole('button', { name: 'Make a link' }).waitFor()
    await unverified.tab.context().close()

    const stranger = await newTab()
    await stranger.tab.goto(`${env.BASE_URL}/app/sign-in`)
    await signInThere(stranger.tab, 'stranger@example.com')
    await stranger.tab.getByRole('heading', { name: 'There is no account for you' }).waitFor()
    await stranger.tab.context().close()

    const { tab } = await newTab()
    await tab.goto(`${env.BASE_URL}/app/sign-in`)
    await tab.getByRole('link', { name: 'Continue with Example Login' }).click()
    await tab.getByRole('link', { name: 'Cancel' }).click()
    await tab.getByText('was cancelled').waitFor()
    await tab.getByRole('link', { name: 'Try again' }).click()
    await tab.getByPlaceholder('Enter any login').waitFor()
    await tab.context().close()
  },
  TIMEOUT,
)
