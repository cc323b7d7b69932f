/** Submits responses as a page's script does, without a browser. */
import { expect } from 'bun:test'
import { type Answer, dataOf, type Fields, type Owner, type Page, send } from '../client.ts'
import { type Person, person } from '../gates/person.ts'
import { word } from '../material.ts'

/** What a page's script sends along with each submission. */
export interface Credentials {
  /** Of the viewer. */
  readonly token: string
  /** The source token: of the page's file and version. */
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

/**
 * Posts to the address of submissions. A string is sent as it is.
 *
 * @param base of another server than that of all tests
 */
export function sendSubmission(body: unknown, headers = {}, base = ''): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = { 'content-type': 'text/plain;charset=UTF-8', origin: 'null' }
  return send(`${base}/~/responses`, {
    method: 'POST',
    body: text,
    headers: { ...type, ...headers },
  })
}

export function viewer(who: Person = person(), base = '') {
  async function open({ slug }: Pick<Page, 'slug'>, path = ''): Promise<Credentials> {
    return credentialsIn(await who.read(`/p/${slug}${path}`))
  }
  return {
    who,
    open,
    /** Opens the page and submits the data. */
    async submit(page: Page, data: unknown, members: Fields = {}): Promise<Answer> {
      const credentials = await open(page, page.kind === 'bundle' ? `/${page.entry_path}` : '')
      return sendSubmission({ ...submission(data), ...credentials, ...members }, {}, base)
    },
    /** The same, but fails unless the response is stored. */
    async respond(page: Page, data: unknown, members: Fields = {}): Promise<Receipt> {
      return dataOf<Receipt>(await this.submit(page, data, members))
    },
  }
}

export function submission(data: unknown): { id: string; data: string } {
  return { id: word('submission'), data: typeof data === 'string' ? data : JSON.stringify(data) }
}

/** Finds the credentials in a page that collects responses. */
export function credentialsIn(answer: Answer): Credentials {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const [, token] = /data-token="([^"]+)"/.exec(answer.text) ?? []
  const [, stamp] = /data-stamp="([^"]+)"/.exec(answer.text) ?? []
  if (!token || !stamp) throw new Error(`No credentials in: ${answer.text.slice(0, 500)}`)
  return { token, stamp }
}

export async function report(by: Owner, { id }: Pick<Page, 'id'>, query = ''): Promise<Report> {
  return dataOf<Report>(await by.call('GET', `/pages/${id}/responses${query}`))
}
