/** Opens the editor of a page. Import it from *.browser.test.ts alone. */
import type { Browser } from 'playwright-core'
import { base64, html, png, word } from '../material.ts'
import { openDashboard } from './dashboard.ts'

/** A deck of two pages with an image and a stylesheet. */
export const deck = () => ({
  files: [
    { path: 'index.html', html: html('Opening on May 9', word('deck')) },
    {
      path: 'team.html',
      html: html('The team meets on May 9').replace(
        '<head>',
        '<head><link rel="stylesheet" href="style.css">',
      ),
    },
  ],
  assets: [
    { path: 'logo.png', data_base64: base64(png()) },
    { path: 'style.css', data_base64: base64('p { color: #222 }\n') },
  ],
})

/** Publishes a page and opens its editor. */
export async function openEditor(
  browser: Browser,
  fields: object,
  { bypassCSP = false, autosaves = true } = {},
) {
  const dashboard = await openDashboard(browser, { bypassCSP })
  const { owner, tab, open } = dashboard
  if (!autosaves) await tab.addInitScript(stopAutosave)
  const page = await owner.publish({ ...fields })
  const language = 'markdown' in fields ? 'Markdown' : 'HTML'
  const field = tab.getByRole('textbox', { name: `${language} of the draft` })
  const reopen = async () => {
    await open(`/app/pages/${page.id}/edit`)
    await field.waitFor()
  }
  await reopen()
  return {
    ...dashboard,
    page,
    field,
    reopen,
    button: (name: string) => tab.getByRole('button', { name, exact: true }),
    says: (text: string) => tab.getByText(text, { exact: true }).waitFor(),
  }
}

/** For what is kept in the browser until it is saved: a slow test takes longer than that. */
function stopAutosave(): void {
  const start = window.setTimeout
  const startOther = (work: TimerHandler, ms = 0, ...args: unknown[]) =>
    ms === 3000 ? 0 : start(work, ms, ...args)
  window.setTimeout = startOther as typeof setTimeout
}
