/** Somebody who answers forms: what the script in a page does, without a browser around it. */
import { expect } from 'bun:test'
import { type Answer, dataOf, type Fields, type Owner, type Page, send } from '../client.ts'
import { type Person, person } from '../gates/person.ts'
import { word } from '../material.ts'

/** A page as its script finds it. */
export interface Opened {
  readonly token: string
  readonly stamp: string
}

export interface Receipt {
  readonly id: string
  readonly submitted_at: string
  readonly submit_count: number
}

export interface Response {
  readonly id: string
  readonly respondent: string
  readonly name: string | null
  readonly submitted_at: string
  readonly created_at: string
  readonly page_version: string | null
  readonly path: string
  readonly submit_count: number
  readonly values: Fields
  readonly data: Fields
}

export interface Field {
  readonly key: string
  readonly label: string | null
  readonly type: string
}

export interface Report {
  readonly status: Fields
  readonly total: number
  readonly fields: Field[]
  readonly summaries: (Field & Fields)[]
  readonly summary_text: string[]
  readonly explodable: string[]
  readonly explode: string | null
  readonly row_fields: Field[]
  readonly row_summaries: (Field & Fields)[]
  readonly row_summary_text: string[]
  readonly row_total: number
  readonly responses: Response[]
  readonly rows: (Fields & { values: Fields })[]
  readonly next_offset: number | null
}

/** A form with one control of each kind, of which `data-label` names some. */
export const FORM = `<!doctype html><title>Survey</title><form data-service>
<input name="email" data-label="Your address"><input type="number" name="age">
<input type="checkbox" name="agrees"><select name="colour"><option>red<option>blue</select>
<input type="checkbox" name="days" value="mo"><input type="checkbox" name="days" value="tu">
<textarea name="remarks"></textarea></form>`

/** Sends whatever it is given to where pages send what they collect. */
export function sendSubmission(body: unknown, headers = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = { 'content-type': 'text/plain;charset=UTF-8', origin: 'null' }
  return send('/~/responses', { method: 'POST', body: text, headers: { ...type, ...headers } })
}

export function viewer(who: Person = person()) {
  async function open({ slug }: Pick<Page, 'slug'>, path = ''): Promise<Opened> {
    return openedIn(await who.read(`/p/${slug}${path}`))
  }
  return {
    who,
    open,
    /** Opens the page and sends this; the answer is not judged. */
    async submit(page: Page, data: unknown, more: Fields = {}): Promise<Answer> {
      const opened = await open(page, page.kind === 'bundle' ? `/${page.entry_path}` : '')
      return sendSubmission({ ...submission(data), ...opened, ...more })
    },
    /** The same, which must succeed. */
    async respond(page: Page, data: unknown, more: Fields = {}): Promise<Receipt> {
      return dataOf<Receipt>(await this.submit(page, data, more))
    },
  }
}

export function submission(data: unknown): { id: string; data: string } {
  return { id: word('submission'), data: typeof data === 'string' ? data : JSON.stringify(data) }
}

/** What a page that collects responses was given for its viewer. */
export function openedIn(answer: Answer): Opened {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const [, token] = /data-token="([^"]+)"/.exec(answer.text) ?? []
  const [, stamp] = /data-stamp="([^"]+)"/.exec(answer.text) ?? []
  if (!token || !stamp) throw new Error(`nothing to answer in: ${answer.text.slice(0, 500)}`)
  return { token, stamp }
}

export async function report(by: Owner, { id }: Pick<Page, 'id'>, query = ''): Promise<Report> {
  return dataOf<Report>(await by.call('GET', `/pages/${id}/responses${query}`))
}
