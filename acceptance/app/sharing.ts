import { html, word } from '../material.ts'
import { testBrowser } from '../test-browser.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'

/** Opens the sharing dialog. Import it from *.browser.test.ts alone, and call it once. */
export function sharing() {
  const browser = testBrowser()
  /** Of the tests that need no account and window of their own. */
  let shared: Promise<Dashboard> | undefined

  /** The dialog of a new page, at its address. With options, in a window of its own. */
  async function openSharing(
    settings: Record<string, unknown> = {},
    options?: Parameters<typeof openDashboard>[1],
  ) {
    if (options === undefined) shared ??= openDashboard(browser())
    const dashboard = await (options === undefined ? shared! : openDashboard(browser(), options))
    const { owner, tab, open } = dashboard
    const { id } = await owner.publish({ html: html('words', word('plan')), ...settings })
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
      /** Waits until the dialog says so. */
      saved: () => dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor(),
    }
  }
  return { openSharing }
}
