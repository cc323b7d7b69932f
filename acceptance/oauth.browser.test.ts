/**
 * The official MCP client connects with the address of the server alone, through the page that asks,
 * in Chromium. SCREENSHOTS=FOLDER also writes pictures of the page and of the list under Account.
 */
import { expect } from 'bun:test'
import { join } from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import { becomes } from './browser.ts'
import { violationsIn } from './gates/axe.ts'
import { sharedOutbox } from './gates/mail.ts'
import { newOwner, own } from './gates/setup.ts'
import { html } from './material.ts'
import { origin } from './origin.ts'
import { server } from './server.ts'
import { duringTests, testBrowser } from './test-browser.ts'

const TIMEOUT = 120_000
const FOLDER = process.env.SCREENSHOTS
const browser = testBrowser({ closesWindows: true })

/** What waits for the answer, as apps on a computer do. */
const callback = duringTests(
  async () => {
    let arrived = Promise.withResolvers<URLSearchParams>()
    const listener = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch({ url }) {
        const { pathname, searchParams } = new URL(url)
        if (pathname === '/callback') arrived.resolve(searchParams)
        return new Response('You can close this window.')
      },
    })
    return {
      url: `http://127.0.0.1:${listener.port}/callback`,
      /** What the next answer has. */
      next: () => {
        arrived = Promise.withResolvers()
        return arrived.promise
      },
      stop: () => listener.stop(true),
    }
  },
  ({ stop }) => stop(),
)

const METADATA = {
  client_name: 'Paper desk',
  // Without a port: that of the moment is added.
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
}

/** What an app stores. */
interface Stored {
  verifier?: string
  askedAt?: URL
  information?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
}

/** An app that has stored nothing yet. */
function newApp({ metadataUrl }: { metadataUrl?: string } = {}) {
  const stored: Stored = {}
  const keep = (change: Stored) => void Object.assign(stored, change)
  const provider: OAuthClientProvider = {
    redirectUrl: callback().url,
    clientMetadata: { ...METADATA, redirect_uris: [callback().url] },
    ...(metadataUrl && { clientMetadataUrl: metadataUrl }),
    state: () => 'the state',
    clientInformation: () => stored.information,
    saveClientInformation: (information) => keep({ information }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    redirectToAuthorization: (askedAt) => keep({ askedAt }),
    saveCodeVerifier: (verifier) => keep({ verifier }),
    codeVerifier: () => stored.verifier!,
    discoveryState: () => stored.discovery,
    saveDiscoveryState: (discovery) => keep({ discovery }),
    invalidateCredentials: () => void delete stored.tokens,
  }
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: provider })
  const newClient = () => new Client({ name: 'paper-desk', version: '1.0.0' })

  return {
    /** Tries to connect without a token. @returns where its person is asked */
    async askedAt(): Promise<string> {
      await expect(newClient().connect(newTransport())).rejects.toThrow(UnauthorizedError)
      return stored.askedAt!.href
    },
    /** Where its person is asked next. */
    newlyAskedAt: () => stored.askedAt!.href,
    async finish(answer: URLSearchParams): Promise<void> {
      expect(answer.get('state')).toBe('the state')
      await newTransport().finishAuth(answer)
    },
    async connect(): Promise<Client> {
      const client = newClient()
      await client.connect(newTransport())
      return client
    },
    tokens: () => stored.tokens!,
    loseAccessToken: () =>
      keep({ tokens: { ...stored.tokens!, access_token: `sma_${'x'.repeat(43)}` } }),
  }
}

/** Opens the page that asks, in a browser that is not signed in, and signs in by mail. */
async function openSignedOut(context: BrowserContext, address: string, email: string) {
  const tab = await context.newPage()
  await tab.goto(address)
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await tab.getByLabel('Email').fill(email)
  await tab.getByRole('button', { name: 'Make a link' }).click()
  await tab.getByRole('heading', { name: 'Ask for your link' }).waitFor()
  const { code } = await sharedOutbox().last(email)
  await tab.getByLabel('Code').fill(code!)
  await tab.getByRole('button', { name: 'Confirm' }).click()
  await tab.getByRole('heading', { name: 'Connect an app' }).waitFor()
  return tab
}

/** Presses a button of the page that asks. @returns what the app gets */
async function press(tab: Tab, name: string): Promise<URLSearchParams> {
  const arrived = callback().next()
  await tab.getByRole('button', { name }).click()
  await tab.getByText('You can close this window.').waitFor()
  return arrived
}

async function toolText(client: Client, name: string, given: object): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...given } })
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

const publishMetadata = () =>
  origin.put('app.json', {
    type: 'application/json',
    body: (client_id) => JSON.stringify({ ...METADATA, client_id }),
  })

own(
  'an agent with the address alone is allowed by its signed-out person, publishes, and is ended',
  async () => {
    const { email } = await newOwner()
    const app = newApp({ metadataUrl: publishMetadata() })
    const context = await browser().newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    const tab = await openSignedOut(context, await app.askedAt(), email)
    await tab.getByText('Paper desk asks to use your account.').waitFor()
    await tab.getByText(origin.host, { exact: true }).waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await takePictures(tab, 'consent-published')
    await app.finish(await press(tab, 'Allow'))

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
    const app = newApp()
    const context = await browser().newContext()
    const tab = await openSignedOut(context, await app.askedAt(), email)
    await tab.getByText('unknown: it gave its name itself').waitFor()
    await tab.getByText('this computer', { exact: true }).waitFor()
    await takePictures(tab, 'consent-registered')
    await app.finish(await press(tab, 'Allow'))
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
    const app = newApp({ metadataUrl })
    const context = await browser().newContext()
    const tab = await openSignedOut(context, await app.askedAt(), email)
    const cancelled = await press(tab, 'Cancel')
    expect([cancelled.get('error'), cancelled.get('code')]).toEqual(['access_denied', null])

    const address = new URL(await app.askedAt())
    address.searchParams.set('scope', 'pages:read')
    await tab.goto(address.href)
    expect(await tab.getByRole('listitem').allInnerTexts()).toEqual([
      'Read your pages, with their drafts, versions and settings',
    ])
    await app.finish(await press(tab, 'Allow'))
    const client = await app.connect()
    expect(await toolText(client, 'list_pages', {})).toBeTruthy()
    const publishing = toolText(client, 'publish_page', { html: html('By an app') })
    await expect(publishing).rejects.toThrow(UnauthorizedError)
    await tab.goto(app.newlyAskedAt())
    expect(await tab.getByRole('listitem').allInnerTexts()).toEqual([
      'Read your pages, with their drafts, versions and settings',
      'Create, change, publish, share and delete pages',
    ])
    await app.finish(await press(tab, 'Allow'))
    expect(await toolText(client, 'publish_page', { html: html('By an app') })).toContain('/p/')
    await client.close()
  },
  TIMEOUT,
)
