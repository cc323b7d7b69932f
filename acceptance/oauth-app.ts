/** An app that connects with the address of the server alone, and the person who allows it in Chromium. */
import { expect } from 'bun:test'
import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import { sharedOutbox } from './gates/mail.ts'
import { origin } from './origin.ts'
import { server } from './server.ts'
import { duringTests } from './test-browser.ts'

/** What waits for the answer, as apps on a computer do. */
export const appCallback = () =>
  duringTests(
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

type Callback = ReturnType<ReturnType<typeof appCallback>>

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

interface AppOptions extends ClientOptions {
  metadataUrl?: string
}

/** An app that has stored nothing yet. */
export function newApp(callback: Callback, { metadataUrl, ...options }: AppOptions = {}) {
  const stored: Stored = {}
  const keep = (change: Stored) => void Object.assign(stored, change)
  const provider: OAuthClientProvider = {
    redirectUrl: callback.url,
    clientMetadata: { ...METADATA, redirect_uris: [callback.url] },
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
  const newClient = () => new Client({ name: 'paper-desk', version: '1.0.0' }, options)

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
export async function openSignedOut(context: BrowserContext, address: string, email: string) {
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
export async function press(callback: Callback, tab: Tab, name: string): Promise<URLSearchParams> {
  const arrived = callback.next()
  await tab.getByRole('button', { name }).click()
  await tab.getByText('You can close this window.').waitFor()
  return arrived
}

/** Where the app says of itself who it is. */
export const publishMetadata = () =>
  origin.put('app.json', {
    type: 'application/json',
    body: (client_id) => JSON.stringify({ ...METADATA, client_id }),
  })
