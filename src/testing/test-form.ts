import type { Receipt, ResponseReport } from '../features/responses/contract.ts'
import type { Submission } from '../features/responses/index.ts'
import { Refusal } from '../model/errors.ts'
import type { JsonText } from '../model/json-text.ts'
import type { Page } from '../model/page/index.ts'
import type { PageObject } from '../model/page/page-object.ts'
import { isForeignKeyViolation } from '../platform/db/errors.ts'
import type { TestApp } from './app.ts'
import type { TestNode } from './node.ts'
import type { Owner } from './people.ts'

export const FORM = '<title>Plan</title><form data-service><input name="a"></form>'

/** The API's report after parsing, in which each `JsonText` has become JSON. */
export type Report = Omit<ResponseReport, 'responses' | 'rows'> & {
  responses: Parsed<ResponseReport['responses'][number]>[]
  rows: Parsed<ResponseReport['rows'][number]>[]
}
type Parsed<T> = { [K in keyof T]: T[K] extends JsonText ? JsonObject : T[K] }
type JsonObject = Record<string, unknown>

let submissions = 0

/** Publishes a page with a form. Its viewers are identified by device names. */
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
    /** Submits as the HTTP route does: to the page in its current state. */
    async send(
      device: string,
      data: unknown,
      options: Partial<Submission> & { node?: Pick<TestNode, 'responses'> } = {},
    ): Promise<Receipt> {
      const { node = app, ...submission } = options
      submissions += 1
      const id = `submission-${submissions}`
      const current = await page()
      return node.responses.submit(current, app.viewers.viewerOf(current, { device }), {
        id,
        data: typeof data === 'string' ? data : JSON.stringify(data),
        name: null,
        page_version: null,
        path: '',
        controls: [],
        ...submission,
      })
    },
    report: (query = ''): Promise<Report> => owner.ask('GET', `/pages/${id}/responses${query}`),
    update: (change: object): Promise<PageObject> => owner.update(id, change),
    /** The page's counter. Throws unless it agrees with the stored responses. */
    async verifiedCounter() {
      const { status } = await this.report('?limit=1')
      const rows = (await app.rows('responses')).filter(({ page_id: pageId }) => pageId === id)
      const bytes = rows.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
      if (status.count !== rows.length || status.bytes !== bytes) {
        throw new Error(
          `The counter has ${status.count} responses of ${status.bytes} bytes, ` +
            `but there are ${rows.length} of ${bytes} bytes.`,
        )
      }
      return { count: status.count, bytes }
    },
  }
}
export type TestForm = Awaited<ReturnType<typeof createForm>>

/** `stored`, or the code of the refusal: `gone` where the page was deleted, as the routes say. */
export async function outcomeOf(sending: Promise<unknown>): Promise<string> {
  try {
    await sending
    return 'stored'
  } catch (err) {
    if (err instanceof Refusal) return err.code
    if (isForeignKeyViolation(err)) return 'gone'
    throw err
  }
}

export function times<T>(count: number, act: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => act(index))
}
