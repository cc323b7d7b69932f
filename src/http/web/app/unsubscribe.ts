import { Hono } from 'hono'
import type { CommenterMails } from '../../../features/comments/index.ts'
import type { OwnerMails } from '../../../features/events/index.ts'
import type { MailStops } from '../../../features/links/index.ts'
import { type Html, html } from '../../../model/html.ts'
import type { Page } from '../../../model/page/index.ts'
import { LAYOUT_CSP, layoutPage } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import type { AppContext } from './context.ts'

export interface UnsubscribeDeps {
  ownerMails: OwnerMails
  commenterMails: CommenterMails
  mailStops: MailStops
}

interface Subscription {
  /** Completes "mails about …". */
  topic: string
  /** Completes "a mail each time …". */
  eachTime: string
  again: string
  stop(page: Page): Promise<void>
}

/**
 * The unsubscribe link of mails to a page's owner, to its commenters
 * and to those whom it was sent to. Opening it changes
 * nothing; its button and the one-click unsubscribe of mail programs (RFC 8058) do. The signature
 * in the link is the only authorization, and all it permits is to stop these mails.
 */
export function unsubscribeRoutes(
  { pages, site, assets }: AppContext,
  { ownerMails, commenterMails, mailStops }: UnsubscribeDeps,
): Hono {
  const routes = new Hono()

  interface Answer {
    status?: number
    title: string
    main: Html
  }
  function respond(request: Request, { status = 200, title, main }: Answer): Response {
    const body = layoutPage({ title, site, assets, main: html`<h1>${title}</h1>${main}` })
    return documentResponse(request, { csp: LAYOUT_CSP, status, body })
  }
  function notFound(request: Request): Response {
    const main = html`<p class="why">The page may have been deleted.</p>`
    return respond(request, { status: 404, title: 'This link is not known', main })
  }

  function findSubscription(pageId: string, signature: string): Subscription | null {
    const owners = ownerMails.findSubscription(pageId, signature)
    if (owners !== null) {
      const { topic, eachTime, setting } = owners
      const again = 'You can turn them on again with the page.'
      return { topic, eachTime, again, stop: (page) => pages.stopMails(page, setting) }
    }
    const addressee = mailStops.findRecipient(pageId, signature)
    if (addressee !== null) {
      return {
        topic: 'pages of this sender',
        eachTime: 'the owner of this page sends you a page, or reminds you of one',
        again: 'The links that you have work as before.',
        stop: (page) => mailStops.stop(page, addressee),
      }
    }
    const recipient = commenterMails.findRecipient(pageId, signature)
    if (recipient === null) return null
    return {
      topic: 'replies',
      eachTime: 'somebody replies to you on this page, or a new version answers your comment',
      again: 'Your comments stay on the page.',
      stop: (page) => commenterMails.stop(page.id, recipient),
    }
  }

  async function findLink({ page_id, signature }: { page_id: string; signature: string }) {
    const subscription = findSubscription(page_id, signature)
    const page = subscription === null ? undefined : await pages.find(page_id)
    return subscription === null || page === undefined ? null : { subscription, page }
  }

  routes.get('/:page_id/:signature', async ({ req }) => {
    const link = await findLink(req.param())
    if (link === null) return notFound(req.raw)
    const { topic, eachTime } = link.subscription
    const main = html`<p class="why">You get a mail each time ${eachTime}. The page itself stays as
it is.</p><form method="post"><button class="button">Stop these mails</button></form>`
    return respond(req.raw, { title: `Stop mails about ${topic}`, main })
  })
  routes.post('/:page_id/:signature', async ({ req }) => {
    const link = await findLink(req.param())
    if (link === null) return notFound(req.raw)
    const { topic, again, stop } = link.subscription
    await stop(link.page)
    const main = html`<p class="why">${again}</p>`
    return respond(req.raw, { title: `No more mails about ${topic}`, main })
  })
  return routes
}
