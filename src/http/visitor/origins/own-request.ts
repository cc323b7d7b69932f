import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Visit } from './visits.ts'

/** A request for a page's own host. */
export interface OwnRequest {
  request: Request
  publishedPage: PublishedPage
  /** With its `?`, or ''. */
  query: string
  pathname: string
  nowMs: number
}

/** @param path decoded, without the leading slash */
export type ServeVisit = (own: OwnRequest, visit: Visit, path: string) => Promise<Response>

/** The address on the base host of an address on the page's own. */
export function pageAddress(baseUrl: string, { page }: PublishedPage, path: string): string {
  return `${baseUrl}/p/${page.slug}${path.replace(/^\/(?=\?|$)/, '')}`
}
