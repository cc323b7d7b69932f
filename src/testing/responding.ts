import type { ResponseReport } from '../features/responses/contract.ts'
import type { Receipt, Submission } from '../features/responses/index.ts'
import { Refusal } from '../model/errors.ts'
import type { JsonText } from '../model/json-text.ts'
import type { Page, PageObject } from '../model/page/index.ts'
import type { TestApp } from './app.ts'
import type { TestNode } from './node.ts'
import type { Owner } from './people.ts'

export const FORM = '<title>Plan</title><form data-service><input name="a"></form>'

/** What the answer of the API is once it is read: `JsonText` is JSON there. */
export type Report = Omit<ResponseReport, 'responses' | 'rows'> & {
  responses: Read<ResponseReport['responses'][number]>[]
  rows: Read<ResponseReport['rows'][number]>[]
}
type Read<T> = { [K in keyof T]: T[K] extends JsonText ? Sent : T[K] }
type Sent = Record<string, unknown>

let submissions = 0

/** A page with a form, whose viewers are named by their devices. */
export async function createForm(
  app: TestApp,
  owner: Owner,
  { html = FORM, ...settings }: { html?: string; [setting: string]: unknown } = {},
) {
  const { id } = await owner.publish(html, settings)

  async function page(): Promise<Page> {
    return (await app.pages.find(id))!
  }
  return {
    id,
    page,
    /** As the door does: the page as it is now. */
    async send(
      device: string,
      data: unknown,
      more: Partial<Submission> & { node?: Pick<TestNode, 'responses'> } = {},
    ): Promise<Receipt> {
      const { node = app, ...given } = more
      submissions += 1
      const id = `submission-${submissions}`
      const at = await page()
      return node.responses.submit(at, node.responses.viewerOf(at, { device }), {
        id,
        data: typeof data === 'string' ? data : JSON.stringify(data),
        name: null,
        page_version: null,
        path: '',
        controls: [],
        ...given,
      })
    },
    report: (query = ''): Promise<Report> => owner.ask('GET', `/pages/${id}/responses${query}`),
    update: (change: object): Promise<PageObject> => owner.update(id, change),
    /** What the counter says, which must be what is there. */
    async counted() {
      const { status } = await this.report('?limit=1')
      const rows = (await app.rows('responses')).filter(({ page_id: pageId }) => pageId === id)
      const bytes = rows.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
      if (status.count !== rows.length || status.bytes !== bytes) {
        throw new Error(`${status.count}, ${status.bytes} is not ${rows.length}, ${bytes}`)
      }
      return { count: status.count, bytes }
    },
  }
}
export type Form = Awaited<ReturnType<typeof createForm>>

/** The code of a refusal, or `kept`. */
export async function outcomeOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending
    return 'kept'
  } catch (err) {
    if (err instanceof Refusal) return err.code
    throw err
  }
}

export function times<T>(count: number, act: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => act(at))
}
