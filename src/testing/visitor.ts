import { formsIn } from './browser.ts'
import { BASE_URL, type TestNode } from './node.ts'

type Sent = Record<string, string>

/** A visitor of pages, with the cookies of each path, as a browser has them. */
export function createVisitor(node: Pick<TestNode, 'fetch'>, own: Sent) {
  const cookies = new Map<string, { path: string; pair: string }>()

  function cookieFor(path: string): string {
    const sent = [...cookies.values()].filter(
      (cookie) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')),
    )
    return sent.map(({ pair }) => pair).join('; ')
  }
  function keep(path: string, pair: string): void {
    cookies.set(`${path} ${pair.split('=')[0]}`, { path, pair })
  }
  async function send(path: string, init: RequestInit): Promise<Response> {
    const url = new URL(path, BASE_URL)
    const cookie = cookieFor(url.pathname)
    const headers = { ...(cookie && { cookie }), ...own, ...(init.headers as Sent) }
    const answer = await node.fetch(new Request(url, { ...init, headers }))
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...flags] = line.split('; ')
      keep(flags.find((flag) => flag.startsWith('Path='))?.slice(5) ?? '/', pair)
    }
    return answer
  }

  return {
    open: (path: string, headers: Sent = {}, method = 'GET') => send(path, { method, headers }),
    /** Opens the gate and submits what it asks for, such as a password. */
    async passGate(path: string, request: Sent): Promise<Response> {
      const [form] = formsIn(await (await send(path, { headers: {} })).text())
      const { action, fields } = form!
      const body = new URLSearchParams({ ...fields, ...request }).toString()
      const type = 'application/x-www-form-urlencoded'
      const headers = { origin: BASE_URL, 'sec-fetch-site': 'same-origin', 'content-type': type }
      return send(action, { method: 'POST', headers, body })
    },
    givePassword(path: string, password: string): Promise<Response> {
      return this.passGate(path, { password })
    },
    /** Sets a cookie. */
    keep,
    /** The `Cookie` header that a request for the path has. */
    cookieFor,
  }
}
export type Visitor = ReturnType<typeof createVisitor>

/** The headers of a browser that opens a link in a window. */
export const BROWSER: Sent = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
}

/** The path, with a slash at its end, below which a shell or viewer loads the page's files. */
export async function framePathIn(document: Response): Promise<string> {
  const [found] = /\/p\/[\w-]+\/~v1[\w.-]+\//.exec(await document.text()) ?? []
  if (found === undefined) throw new Error('The document has no frame token')
  return found
}
