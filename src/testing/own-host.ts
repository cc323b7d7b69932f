import { BASE_URL, type TestNode } from './node.ts'
import type { Visitor } from './visitor.ts'

type Sent = Record<string, string>

export const CONTENT_URL = 'http://{page}.content.test'

/** The headers of a window that is sent on from the base host, and of what a document loads. */
export const WINDOW: Sent = {
  accept: 'text/html,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'cross-site',
}
export const LOADED: Sent = {
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
}

/** Asks any host of the server. */
export function askHost(
  node: Pick<TestNode, 'fetch'>,
  url: string | URL,
  headers: Sent = {},
  method = 'GET',
): Promise<Response> {
  const { host } = new URL(url)
  return node.fetch(new Request(url, { method, headers: { host, ...headers } }))
}

/** A window that goes from a page's address to its own host, as a browser does. */
export async function enter(node: Pick<TestNode, 'fetch'>, visitor: Visitor, path: string) {
  const sent = await visitor.open(path, { ...WINDOW, 'sec-fetch-site': 'none' })
  if (sent.status !== 303) throw new Error(`${path} answered ${sent.status}`)
  const ticketUrl = sent.headers.get('location')!
  const { origin, host } = new URL(ticketUrl)
  const taken = await askHost(node, ticketUrl, WINDOW)
  const cookie = taken.headers.getSetCookie().map((line) => line.split(';')[0])[0] ?? ''
  const ask = (at: string, headers: Sent = {}, method = 'GET') =>
    askHost(node, origin + at, { cookie, ...LOADED, ...headers }, method)
  return {
    sent,
    ticketUrl,
    taken,
    origin,
    host,
    cookie,
    /** Loads a file as a document of the page does. */
    load: ask,
    /** A window of the page that goes to another address of it. */
    open: (at: string, headers: Sent = {}, method = 'GET') =>
      ask(at, { ...WINDOW, 'sec-fetch-site': 'same-origin', ...headers }, method),
  }
}

/** The page's address on the base host. */
export const at = (slug: string, path = '') => `${BASE_URL}/p/${slug}${path}`
