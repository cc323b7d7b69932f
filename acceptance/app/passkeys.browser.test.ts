/** Passkeys in Chromium, whose virtual authenticator answers for a person. No mail server is set. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page as Tab } from 'playwright-core'
import { problemsOf } from '../browser.ts'
import { violationsIn } from '../gates/axe.ts'
import { newOwner } from '../gates/setup.ts'
import { command } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { testBrowser } from '../test-browser.ts'

const TIMEOUT = 240_000
const FOLDER = process.env.SCREENSHOTS
const FIRST = 'first@handbill.example'

const browser = testBrowser()
let env: Record<string, string>
let setUpLink = ''
beforeAll(async () => {
  const fresh = freshEnvironment()
  // Browsers have no passkeys for an IP address.
  env = { ...fresh, BASE_URL: `http://localhost:${fresh.PORT}` }
  const { output } = await start(env)
  const pattern = /http:\/\/localhost\S+\/setup\/[\w-]{43}/
  while (!pattern.test(output())) await Bun.sleep(10)
  setUpLink = pattern.exec(output())![0]
}, TIMEOUT)
afterAll(cleanUp)

interface Device {
  tab: Tab
  problems: string[]
  cdp: CDPSession
  authenticatorId: string
}

/** An authenticator that is part of the browser, unless the options say another thing. */
const addAuthenticator = (cdp: CDPSession, options: object = {}) =>
  cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  })

/** A browser with an authenticator that is part of it, and a person who is there. */
async function newDevice({ fillsIn = false } = {}): Promise<Device> {
  const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  // The authenticator takes what the browser would show to choose from as chosen.
  if (!fillsIn) {
    await context.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
  }
  const tab = await context.newPage()
  tab.setDefaultTimeout(60_000)
  const cdp = await context.newCDPSession(tab)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await addAuthenticator(cdp)
  return { tab, problems: problemsOf(tab), cdp, authenticatorId }
}

/** Signs an account in by the link that the operator makes. */
async function openLink(tab: Tab, email: string): Promise<void> {
  const { stdout, stderr } = await command(env, 'account', 'sign-in', email)
  expect(stderr).toContain('once, within ten minutes')
  await tab.goto(stdout.trim())
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
}

const openAccount = async (tab: Tab) => {
  await tab.goto(`${env.BASE_URL}/app/account`)
  await tab.getByRole('heading', { name: 'Passkeys' }).waitFor()
}

async function addPasskey(tab: Tab): Promise<void> {
  await openAccount(tab)
  await tab.getByRole('button', { name: 'Add a passkey' }).click()
  await tab.getByText('Passkey added').waitFor()
}

/** Adds a passkey of another device, which has another name, and removes it. */
async function addAnother({ tab, cdp, authenticatorId }: Device): Promise<void> {
  const answer = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  await answer(false)
  const other = await addAuthenticator(cdp, { transport: 'usb' })
  await tab.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const removal = tab.getByRole('button', { name: 'Remove Chrome on Linux 2', exact: true })
  await removal.press('Enter')
  const confirm = tab.getByRole('dialog').getByRole('button', { name: /^Remove Chrome/ })
  await confirm.press('Enter')
  await removal.waitFor({ state: 'detached' })
  await cdp.send('WebAuthn.removeVirtualAuthenticator', other)
  await answer(true)
}

async function signOut(tab: Tab): Promise<void> {
  await openAccount(tab)
  await tab.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await tab.getByRole('heading', { name: 'You are signed out' }).waitFor()
}

/** Makes all sign-ins two hours old. */
function ageSignIns(): void {
  using db = new Database(join(env.DATA_DIR!, 'handbill.db'), { readwrite: true })
  db.run('PRAGMA busy_timeout = 20000')
  const before = new Date(Date.now() - 2 * 60 * 60_000).toISOString().replace('Z', '000Z')
  db.run('UPDATE sessions SET created_at = ?', [before])
}

/** At 1440 and 390 px, light and dark. */
async function takePictures(tab: Tab, name: string): Promise<void> {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await tab.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
    }
  }
  await tab.setViewportSize({ width: 1280, height: 800 })
}

test(
  'after the set-up a passkey is added, and signs in without an address once signed out',
  async () => {
    const { tab, problems } = await newDevice()
    await tab.goto(setUpLink)
    await tab.getByRole('textbox', { name: 'Email' }).fill(FIRST)
    await tab.getByRole('button', { name: 'Create the account' }).click()
    const hint = tab.getByText('Add a passkey, so that you can sign in again')
    await hint.waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'hint')
    await tab.getByRole('button', { name: 'Add a passkey' }).click()
    await hint.waitFor({ state: 'detached' })
    await openAccount(tab)
    await tab.getByText('Chrome on Linux').first().waitFor()
    await tab.getByText('not used yet').waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await signOut(tab)
    const main = tab.getByRole('main')
    await main.getByText('This server sends no mail. Sign in with a passkey').waitFor()
    await main.getByText('handbill account sign-in EMAIL').waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'sign-in')
    await tab.goto(`${env.BASE_URL}/app/developer`)
    await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await tab.waitForURL(`${env.BASE_URL}/app/developer`)
    await openAccount(tab)
    await tab.getByText('last used').first().waitFor()
    expect(await tab.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(FIRST)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a passkey is renamed and removed; the last way in is named before, and no longer signs in',
  async () => {
    const { email } = await newOwner(env)
    const device = await newDevice()
    const { tab, cdp, authenticatorId } = device
    await openLink(tab, email)
    await tab.getByRole('button', { name: 'Not now' }).click()
    await tab.reload()
    await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    await addPasskey(tab)
    await takePictures(tab, 'account')
    await tab.getByRole('button', { name: 'Add a passkey' }).click()
    await tab.getByText('This device has a passkey of this account already.').waitFor()
    await addAnother(device)
    await tab.getByRole('button', { name: 'Rename Chrome on Linux' }).click()
    await tab.getByLabel('Name', { exact: true }).last().fill('Work <b>laptop</b>')
    await tab.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await tab.getByRole('button', { name: 'Remove Work <b>laptop</b>' }).click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByText('Work <b>laptop</b> is your only way to sign in').waitFor()
    await dialog.getByText(`handbill account sign-in ${email}`).waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'remove')
    await dialog.getByRole('button', { name: 'Remove Work <b>laptop</b>' }).click()
    await tab.getByText('Passkey removed').waitFor()
    await signOut(tab)
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toHaveLength(1)
    await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await tab.getByRole('alert').getByText('This passkey was not accepted').waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'refused')
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a browser that fills in passkeys offers one where the address is typed',
  async () => {
    const { email } = await newOwner(env)
    const { tab, cdp, authenticatorId, problems } = await newDevice({ fillsIn: true })
    await openLink(tab, email)
    await addPasskey(tab)
    const enable = (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    await enable(false)
    await signOut(tab)
    const field = tab.getByRole('textbox', { name: 'Email' })
    expect(await field.getAttribute('autocomplete')).toBe('email webauthn')
    await enable(true)
    await tab.goto(`${env.BASE_URL}/app/sign-in?next=/app/account`)
    await tab.waitForURL(`${env.BASE_URL}/app/account`)
    await tab.getByText('last used').first().waitFor()
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a passkey signs in again where that is asked for, and what waited goes on',
  async () => {
    const { email } = await newOwner(env)
    const { tab, problems } = await newDevice()
    await openLink(tab, email)
    await addPasskey(tab)
    await tab.goto(`${env.BASE_URL}/app/developer`)
    ageSignIns()
    await tab.getByLabel('Key name').fill('laptop')
    await tab.getByRole('button', { name: 'Create key' }).click()
    const dialog = tab.getByRole('dialog', { name: 'Confirm it is you' })
    await dialog.getByText('This server sends no mail. Sign in with a passkey').waitFor()
    await dialog.getByRole('button', { name: 'Use a passkey' }).waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'again')
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await tab.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^sm_/)
    // The answer that asked for a newer sign-in.
    expect(problems.filter((text) => !text.includes('403'))).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)

test(
  'a suspended account reads why, and another person’s device signs nobody in',
  async () => {
    const { email } = await newOwner(env)
    const { tab, cdp, authenticatorId } = await newDevice()
    await openLink(tab, email)
    await openAccount(tab)
    const verify = (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    await verify(false)
    await tab.getByRole('button', { name: 'Add a passkey' }).click()
    await tab.getByText('No passkey was added. Try again: the device needs a').waitFor()
    await verify(true)
    await addPasskey(tab)
    await command(env, 'account', 'suspend', email)
    await tab.goto(`${env.BASE_URL}/app/sign-in`)
    await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await tab.getByRole('alert').getByText('suspended this account').waitFor()
    const other = await newDevice()
    await other.tab.goto(`${env.BASE_URL}/app/sign-in`)
    const button = other.tab.getByRole('button', { name: 'Sign in with a passkey' })
    await button.press('Enter')
    await other.tab.getByRole('alert').getByText('No passkey was used.').waitFor()
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    for (const device of [tab, other.tab]) await device.context().close()
  },
  TIMEOUT,
)

test(
  'at an address without a name, the sign-in page and the account say that there are no passkeys',
  async () => {
    const numbered = freshEnvironment()
    await start(numbered)
    const { email } = await newOwner(numbered)
    const { tab, problems } = await newDevice()
    await tab.goto(`${numbered.BASE_URL}/app/sign-in`)
    await tab.getByText('Browsers take passkeys at addresses with https').waitFor()
    expect(await tab.getByRole('button', { name: 'passkey' }).count()).toBe(0)
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'no-passkeys')
    const { stdout } = await command(numbered, 'account', 'sign-in', email)
    await tab.goto(stdout.trim())
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    await tab.goto(`${numbered.BASE_URL}/app/account`)
    await tab.getByText(`not at ${numbered.BASE_URL}.`).waitFor()
    expect(await tab.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    expect(problems).toEqual([])
    await tab.context().close()
  },
  TIMEOUT,
)
