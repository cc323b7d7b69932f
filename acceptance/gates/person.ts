/** A simulated browser: it stores cookies by path, sends a browser's headers and fills in forms. */
import { type Answer, browser as navigation, type Sent, send } from '../client.ts'
import { server } from '../server.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

type Values = Record<string, string>

/** The headers that a browser adds to a same-origin form. */
const FORM_HEADERS = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }
/** The headers of a script's `fetch`, which gets the page's bytes instead of the shell. */
const FETCH_HEADERS = {
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'none',
}

export type Person = ReturnType<typeof person>

export function person(base = server.url) {
  const jar = new Map<string, Cookie>()

  function storeCookies({ headers }: Answer): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const at = pair.indexOf('=')
      const path = attributeOf(attributes, 'path') ?? '/'
      const name = pair.slice(0, at)
      jar.delete(`${name} ${path}`)
      if (attributeOf(attributes, 'max-age') === '0') continue
      jar.set(`${name} ${path}`, { name, value: pair.slice(at + 1), path })
    }
  }
  function cookiesFor(url: string): Sent {
    const { pathname } = new URL(url)
    const sent = [...jar.values()].filter(({ path }) => pathMatches(path, pathname))
    if (sent.length === 0) return {}
    return { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }
  }
  async function ask(path: string, init: RequestInit & { headers: Sent }): Promise<Answer> {
    const url = path.startsWith('/') ? base + path : path
    const answer = await send(url, { ...init, headers: { ...cookiesFor(url), ...init.headers } })
    storeCookies(answer)
    return answer
  }
  function post(path: string, values: Values, headers: Sent = {}): Promise<Answer> {
    const body = new URLSearchParams(values).toString()
    const type = 'application/x-www-form-urlencoded'
    const own = { ...navigation, origin: base, ...FORM_HEADERS, 'content-type': type }
    return ask(path, { method: 'POST', body, headers: { ...own, ...headers } })
  }

  return {
    jar,
    /** Sends any request, with the cookies of its path. */
    ask,
    post,
    /** Navigates, as by a link or the address bar. */
    open: (path: string, headers: Sent = {}) =>
      ask(path, { headers: { ...navigation, ...headers } }),
    /** Fetches, as a script. */
    read: (path: string, headers: Sent = {}) =>
      ask(path, { headers: { ...navigation, ...FETCH_HEADERS, ...headers } }),
    head: (path: string) => ask(path, { method: 'HEAD', headers: { ...navigation } }),
    /** Sends the form of a page that has these fields, with its hidden fields. */
    submit: (response: Answer, values: Values = {}, headers: Sent = {}) => {
      const form = formsIn(response).find(({ fields }) =>
        Object.keys(values).every((name) => name in fields),
      )
      if (form === undefined) throw new Error(`no such form in: ${response.text.slice(0, 500)}`)
      return post(form.action, { ...form.fields, ...values }, headers)
    },
  }
}

function attributeOf(attributes: string[], name: string): string | undefined {
  const result = attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))
  return result?.slice(name.length + 1)
}

/** RFC 6265, 5.1.4. */
function pathMatches(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

export function formsIn({ text }: Answer): Form[] {
  const forms: { action: string; fields: Record<string, string> }[] = []
  new HTMLRewriter()
    .on('form', {
      element: (form) => {
        forms.push({ action: unescapeHtml(form.getAttribute('action') ?? ''), fields: {} })
      },
    })
    .on('form input[name]', {
      element: (input) => {
        const value = unescapeHtml(input.getAttribute('value') ?? '')
        forms.at(-1)!.fields[input.getAttribute('name')!] = value
      },
    })
    .transform(text)
  return forms
}

/** The form whose action ends with this, such as `/request`. */
export function formTo(answer: Answer, ending: string): Form {
  const form = formsIn(answer).find(({ action }) => action.endsWith(ending))
  if (form === undefined) throw new Error(`no form to ${ending} in: ${answer.text.slice(0, 500)}`)
  return form
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
