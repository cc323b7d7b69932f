import { Hono } from 'hono'
import type { Notifications } from '../../features/notifications/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import { html } from '../html.ts'
import { documentHeaders } from '../visitor/index.ts'
import type { Assets } from './assets.ts'
import { SHEET_CSP, sheetPage } from './sheet.ts'

export interface UnsubscribeMachines {
  notifications: Notifications
  pages: Pages
  assets: Assets
  base_url: string
}

/**
 * The link under mails about views. Looking at it changes nothing; its button, and the button of a
 * mail program (RFC 8058), do. The signed address is the whole authority: it can stop these mails.
 */
export function unsubscribeDoor(machines: UnsubscribeMachines): Hono {
  const { notifications, pages, assets, base_url } = machines
  const { host } = new URL(base_url)
  const door = new Hono()

  function sheet(status: number, title: string, why: string, has_button = false): Response {
    const button = html`<form method="post"><button class="button">Stop these mails</button></form>`
    const main = html`<h1>${title}</h1><p class="why">${why}</p>${has_button && button}`
    const body = sheetPage({ title, host, assets, main })
    return new Response(body, { status, headers: documentHeaders(SHEET_CSP) })
  }
  const gone = () => sheet(404, 'This link is not known', 'The page may have been deleted.')

  async function pageOf({ page_id, signature }: { page_id: string; signature: string }) {
    return notifications.isUnsubscribe(page_id, signature) ? pages.find(page_id) : undefined
  }

  door.get('/:page_id/:signature', async (context) => {
    const page = await pageOf(context.req.param())
    if (page === undefined) return gone()
    const why = 'You get a mail each time this page is opened. The page itself stays as it is.'
    return sheet(200, 'Stop mails about views', why, true)
  })
  door.post('/:page_id/:signature', async (context) => {
    const page = await pageOf(context.req.param())
    if (page === undefined) return gone()
    await pages.stopViewMails(page)
    return sheet(200, 'No more mails about views', 'You can turn them on again with the page.')
  })
  return door
}
