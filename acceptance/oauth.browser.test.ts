/**
 * The official MCP client connects with the address of the server alone, through the page that asks,
 * in Chromium. SCREENSHOTS=FOLDER also writes pictures of the page and of the list under Account.
 */
import { expect } from 'bun:test'
import { join } from 'node:path'
import { type Client, UnauthorizedError } from '@modelcontextprotocol/client'
import type { Page as Tab } from 'playwright-core'
import { becomes } from './browser.ts'
import { violationsIn } from './gates/axe.ts'
import { newOwner, own } from './gates/setup.ts'
import { html } from './material.ts'
import { appCallback, newApp, openSignedOut, press, publishMetadata } from './oauth-app.ts'
import { origin } from './origin.ts'
import { server } from './server.ts'
import { testBrowser } from './test-browser.ts'

const TIMEOUT = 240_000
const FOLDER = process.env.SCREENSHOTS
const browser = testBrowser({ closesWindows: true })
const callback = appCallback()

async function toolText(client: Client, name: string, options: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...options } })
  return content.map((each) => (each.type === 'text' ? each.text : '')).join('\n')
}

async function takePictures(tab: Tab, name: string): Promise<void> {
  if (FOLDER === undefined) return
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await tab.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.waitForTimeout(100)
      await tab.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}

own(
  'an agent with the address alone is allowed by its signed-out person, publishes, and is ended',
  async () => {
    const { email } = await newOwner()
    const app = newApp(callback(), { metadataUrl: publishMetadata() })
    const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    const tab = await openSignedOut(context, await app.askedAt(), email)
    await tab.getByText('Paper desk asks to use your account.').waitFor()
    await tab.getByText(origin.host, { exact: true }).waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'consent-published')
    await app.finish(await press(callback(), tab, 'Allow'))

    const client = await app.connect()
    const made = await toolText(client, 'publish_page', { html: html('By an app'), title: 'By it' })
    expect(made).toContain('/p/')

    await tab.goto(`${server.url}/app/account`)
    const list = tab.getByRole('region', { name: 'Connected apps' })
    await list.getByText('Paper desk', { exact: true }).waitFor()
    expect(await list.innerText()).toContain(origin.host)
    expect(await violationsIn(tab)).toEqual([])
    await list.scrollIntoViewIfNeeded()
    await takePictures(tab, 'account-connections')
    await list.getByRole('button', { name: 'Disconnect Paper desk' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await becomes(() => list.count(), 0)
    await expect(client.listTools()).rejects.toThrow(UnauthorizedError)
    await client.close()
  },
  TIMEOUT,
)

own(
  'an app that registers itself is asked about as such; its tokens are renewed by themselves',
  async () => {
    const { email } = await newOwner()
    const app = newApp(callback())
    const context = await browser().newContext()
    const tab = await openSignedOut(context, await app.askedAt(), email)
    await tab.getByText('unknown: it gave its name itself').waitFor()
    await tab.getByText('this computer', { exact: true }).waitFor()
    await takePictures(tab, 'consent-registered')
    await app.finish(await press(callback(), tab, 'Allow'))
    const first = app.tokens()
    app.loseAccessToken()
    const client = await app.connect()
    expect((await client.listTools()).tools.length).toBeGreaterThan(10)
    expect(app.tokens().refresh_token).not.toBe(first.refresh_token)
    await client.close()
  },
  TIMEOUT,
)

own(
  'an app that is cancelled gets nothing; one that may only read asks for more when it writes',
  async () => {
    const { email } = await newOwner()
    const metadataUrl = publishMetadata()
    const app = newApp(callback(), { metadataUrl })
    const context = await browser().newContext()
    const tab = await openSignedOut(context, await app.askedAt(), email)
    const cancelled = await press(callback(), tab, 'Cancel')
    expect([cancelled.get('error'), cancelled.get('code')]).toEqual(['access_denied', null])

    const address = new URL(await app.askedAt())
    address.searchParams.set('scope', 'pages:read')
    await tab.goto(address.href)
    expect(await tab.getByRole('listitem').allInnerTexts()).toEqual([
      'Read your pages, with their drafts, versions and settings',
    ])
    await app.finish(await press(callback(), tab, 'Allow'))
    const client = await app.connect()
    expect(await toolText(client, 'list_pages', {})).toBeTruthy()
    const publishing = toolText(client, 'publish_page', { html: html('By an app') })
    await expect(publishing).rejects.toThrow(UnauthorizedError)
    await tab.goto(app.newlyAskedAt())
    expect(await tab.getByRole('listitem').allInnerTexts()).toEqual([
      'Read your pages, with their drafts, versions and settings',
      'Create, change, publish, share and delete pages',
    ])
    await app.finish(await press(callback(), tab, 'Allow'))
    expect(await toolText(client, 'publish_page', { html: html('By an app') })).toContain('/p/')
    await client.close()
  },
  TIMEOUT,
)
