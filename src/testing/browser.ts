import { BASE_URL, type TestNode } from './node.ts'

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

/** A browser on our own pages: it stores cookies and submits forms. */
export function createBrowser(node: Pick<TestNode, 'fetch'>, own: Record<string, string> = {}) {
  const jar = new Map<string, string>()

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ 'user-agent': AGENT, 'sec-fetch-site': 'same-origin', ...own })
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const request = new Request(`${BASE_URL}${path}`, { ...init, headers })
    const answer = await node.fetch(request)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0;/.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  return {
    jar,
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    ask,
    post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
      const body = new URLSearchParams(fields).toString()
      const type = 'application/x-www-form-urlencoded'
      const all = { origin: BASE_URL, 'content-type': type, ...headers }
      return ask(path, { method: 'POST', body, headers: all })
    },
    /** Fills in a form of a page and submits it with its hidden fields. */
    async send(page: Response, typed: Record<string, string> = {}, nth = 0): Promise<Response> {
      const { action, fields } = formsIn(await page.text())[nth]!
      return this.post(action, { ...fields, ...typed })
    },
  }
}
export type Browser = ReturnType<typeof createBrowser>

/** The forms of a page of ours, with their hidden fields. */
export function formsIn(text: string) {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inner = '']) => ({
      action: decoded(action),
      fields: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, decoded(value)],
        ),
      ) as Record<string, string>,
    }),
  )
}

function decoded(attribute: string): string {
  return attribute.replaceAll('&amp;', '&')
}
