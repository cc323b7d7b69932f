import { type Answer, ask, Refused } from './ask.ts'

const NAVIGATION = {
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/153.0',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
}

/** The tokens that the panel of conversations sends with each request. */
export interface PanelData {
  token: string
  stamp: string
}

/** A browser that stores cookies and sends forms. */
export function newBrowser() {
  const cookies = new Map<string, string>()

  async function request(url: string, init: RequestInit = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...NAVIGATION, cookie, ...(init.headers as Record<string, string>) }
    const answer = await ask(url, { ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  function post(url: string, body: string, type: string): Promise<Answer> {
    const { origin } = new URL(url)
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': type }
    return request(url, { method: 'POST', headers, body })
  }
  return {
    open: (url: string) => request(url),
    /** Sends the form of a document with its hidden fields. */
    submit(url: string, { text }: Answer, values: Record<string, string> = {}): Promise<Answer> {
      const [form = ''] = /<form[^>]*method="post"[\s\S]*?<\/form>/i.exec(text) ?? []
      const [, action = ''] = /action="([^"]*)"/.exec(form) ?? []
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]))
      const body = new URLSearchParams({ ...fields, ...values }).toString()
      const target = new URL(action.replaceAll('&amp;', '&'), url).href
      return post(target, body, 'application/x-www-form-urlencoded')
    },
    /** Calls visitor operations as the panel does. */
    callPanel: (url: string, input: object) => post(url, JSON.stringify(input), 'application/json'),
    /** Opens a page, and reads the tokens of its panel. */
    async openPanel(url: string): Promise<PanelData> {
      const answer = await request(url)
      const [, json] = /data-panel="([^"]*)"/.exec(answer.text) ?? []
      if (json === undefined) throw new Refused('A page with a panel', answer)
      const data = json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
      const { token, stamp } = JSON.parse(data) as PanelData
      return { token, stamp }
    },
  }
}
export type Browser = ReturnType<typeof newBrowser>

/** @returns whether the server said that a mail is on its way */
export async function asksForLink(url: string, email: string): Promise<boolean> {
  const browser = newBrowser()
  const form = await browser.open(`${url}/app/sign-in`)
  const { status } = await browser.submit(url, form, { email })
  return status < 300
}
