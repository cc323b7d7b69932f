import { expect } from 'bun:test'
import type { Page as Tab } from 'playwright-core'
import { formTo, person } from '../gates/person.ts'
import { html, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'

/** Our policy forbids what it has, and the browser would report it. */
export const STYLED =
  '<style>p { color: maroon }</style><p style="margin: 0" onclick="x()">words</p>'

/** Asks at the gate of a page to be let in. */
export async function askAtGate(path: string, email: string): Promise<void> {
  const who = person()
  const { action, fields } = formTo(await who.open(path), '/request')
  const sent = await who.post(action, { ...fields, email })
  expect(sent.text).toContain('Your request is on its way')
}

/** Shows the app as where a mail server is set. What it mails still waits in the outbox. */
async function showMails(tab: Tab): Promise<void> {
  await tab.route(/\/app\//, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace('"sends_mails":false', '"sends_mails":true')
    await route.fulfill({ response, body })
  })
}

/** Opens the sharing dialog. Import it from *.browser.test.ts alone, and call it once. */
export function sharing() {
  const browser = testBrowser()
  /** Of the tests that need no account and window of their own. */
  let shared: Promise<Dashboard> | undefined

  /** The dialog of a new page, at its address. With options, in a window of its own. */
  async function openSharing(
    settings: Record<string, unknown> = {},
    options?: Parameters<typeof openDashboard>[1] & { mails?: boolean },
  ) {
    if (options === undefined) shared ??= openDashboard(browser())
    const dashboard = await (options === undefined ? shared! : openDashboard(browser(), options))
    const { owner, tab, open, problems } = dashboard
    if (options?.mails) await showMails(tab)
    // A test that provokes errors leaves none to the next.
    problems.length = 0
    const { id } = await owner.publish({ html: html(STYLED, word('plan')), ...settings })
    await open(`/app/pages/${id}/share`)
    const dialog = tab.getByRole('dialog', { name: 'Share' })
    await dialog.waitFor()
    return {
      ...dashboard,
      id,
      dialog,
      /** Settings of the page as the server has them. */
      async stored(...names: string[]) {
        const page = (await owner.page(id)) as unknown as Record<string, unknown>
        return names.map((name) => page[name])
      },
      /** Chooses who may open it. */
      choose: (phrase: string) => dialog.getByRole('radio', { name: phrase, exact: true }).check(),
      /** Waits until the dialog says so, which is not `Not saved`. */
      saved: () =>
        dialog
          .getByRole('status')
          .filter({ hasText: /^Saved$/ })
          .waitFor(),
    }
  }
  return { openSharing }
}
