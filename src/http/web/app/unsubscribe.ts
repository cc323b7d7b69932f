import { Hono } from 'hono'
import type { OwnerMails } from '../../../features/events/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import { html } from '../../../model/html.ts'
import type { Assets } from '../../kit/assets.ts'
import { htmlResponse } from '../../kit/html-response.ts'
import { LAYOUT_CSP, layoutPage } from '../../kit/layout.ts'

export interface UnsubscribeDeps {
  ownerMails: OwnerMails
  pages: Pages
  assets: Assets
  baseUrl: string
}

interface UnsubscribeLink {
  page_id: string
  signature: string
}

/**
 * The unsubscribe link of mails to a page's owner. Opening it changes nothing; its button and the
 * one-click unsubscribe of mail programs (RFC 8058) do. The signature in the link is the only
 * authorization, and all it permits is to stop these mails.
 */
export function unsubscribeRoutes({ ownerMails, pages, assets, baseUrl }: UnsubscribeDeps): Hono {
  const { host } = new URL(baseUrl)
  const routes = new Hono()

  function respond(status: number, title: string, main: ReturnType<typeof html>): Response {
    const body = layoutPage({ title, host, assets, main: html`<h1>${title}</h1>${main}` })
    return htmlResponse(body, { csp: LAYOUT_CSP, status })
  }
  function notFound(): Response {
    const why = html`<p class="why">The page may have been deleted.</p>`
    return respond(404, 'This link is not known', why)
  }

  async function findLink({ page_id: pageId, signature }: UnsubscribeLink) {
    const subscription = ownerMails.findSubscription(pageId, signature)
    const page = subscription === null ? undefined : await pages.find(pageId)
    return subscription === null || page === undefined ? null : { subscription, page }
  }

  routes.get('/:page_id/:signature', async ({ req }) => {
    const link = await findLink(req.param())
    if (link === null) return notFound()
    const { topic, eachTime } = link.subscription
    const main = html`<p class="why">You get a mail each time ${eachTime}. The page itself stays as
it is.</p><form method="post"><button class="button">Stop these mails</button></form>`
    return respond(200, `Stop mails about ${topic}`, main)
  })
  routes.post('/:page_id/:signature', async ({ req }) => {
    const link = await findLink(req.param())
    if (link === null) return notFound()
    const { setting, topic } = link.subscription
    await pages.stopMails(link.page, setting)
    const main = html`<p class="why">You can turn them on again with the page.</p>`
    return respond(200, `No more mails about ${topic}`, main)
  })
  return routes
}
