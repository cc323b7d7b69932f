import { Hono } from 'hono'
import type { OwnerMails } from '../../features/events/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import type { Assets } from '../kit/assets.ts'
import { documentHeaders } from '../kit/headers.ts'
import { html } from '../kit/html.ts'
import { LAYOUT_CSP, layoutPage } from '../kit/layout.ts'

export interface UnsubscribeDeps {
  ownerMails: OwnerMails
  pages: Pages
  assets: Assets
  baseUrl: string
}

/**
 * The link under mails about a page. Looking at it changes nothing; its button, and the button of a
 * mail program (RFC 8058), do. The signed address is the whole authority: it can stop these mails.
 */
export function unsubscribeRoutes(deps: UnsubscribeDeps): Hono {
  const { ownerMails, pages, assets, baseUrl } = deps
  const { host } = new URL(baseUrl)
  const door = new Hono()

  function sheet(status: number, title: string, why: string, hasButton = false): Response {
    const button = html`<form method="post"><button class="button">Stop these mails</button></form>`
    const main = html`<h1>${title}</h1><p class="why">${why}</p>${hasButton && button}`
    const body = layoutPage({ title, host, assets, main })
    return new Response(body, { status, headers: documentHeaders(LAYOUT_CSP) })
  }
  const gone = () => sheet(404, 'This link is not known', 'The page may have been deleted.')

  async function linked({ page_id: pageId, signature }: { page_id: string; signature: string }) {
    const subscription = ownerMails.findSubscription(pageId, signature)
    const page = subscription === null ? undefined : await pages.find(pageId)
    return subscription === null || page === undefined ? null : { subscription, page }
  }

  door.get('/:page_id/:signature', async (context) => {
    const link = await linked(context.req.param())
    if (link === null) return gone()
    const { topic, eachTime } = link.subscription
    const why = `You get a mail each time ${eachTime}. The page itself stays as it is.`
    return sheet(200, `Stop mails about ${topic}`, why, true)
  })
  door.post('/:page_id/:signature', async (context) => {
    const link = await linked(context.req.param())
    if (link === null) return gone()
    const { setting, topic } = link.subscription
    await pages.stopMails(link.page, setting)
    const why = 'You can turn them on again with the page.'
    return sheet(200, `No more mails about ${topic}`, why)
  })
  return door
}
