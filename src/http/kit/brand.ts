import { type Brand, sharedBy, shownName } from '../../model/brand.ts'
import { type Html, html } from '../../model/html.ts'
import { plainLine } from '../../model/plain-text.ts'
import { buildResponse } from './response.ts'

/** Who shared what a gate or a notice is about; nothing where the owner says nothing of it. */
export function brandLine(brand: Brand | null | undefined): Html | undefined {
  if (!brand) return undefined
  const words = sharedBy(brand)
  if (words === null && brand.logo === null) return undefined
  return html`<p class="brand">${logoImage(brand)}${words && html`<span>${words}</span>`}</p>\n`
}

/** The owner's title for link previews. */
export function aboutLine(title: string | null | undefined): Html | null {
  return title ? html`<p class="about">${plainLine(title)}</p>` : null
}

/** Decoration beside the name, and all there is without one. */
export function logoImage({ logo, name }: Brand): Html | undefined {
  const alt = shownName(name) === null ? 'Logo of the owner' : ''
  return logo === null ? undefined : html`<img src="${logo}" alt="${alt}" height="32">`
}

/** A picture can do nothing in a document of its own, and nobody takes it for one. */
const LOGO_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Notices have an origin of their own, as every document in a sandbox.
  'cross-origin-resource-policy': 'cross-origin',
  // Its account may be suspended, or take it away.
  'cache-control': 'public, max-age=300',
  'x-robots-tag': 'noindex',
}

export function logoResponse({ mime, data }: { mime: string; data: Uint8Array }): Response {
  const headers = { ...LOGO_HEADERS, 'content-type': mime }
  return buildResponse(null, { headers, body: new Uint8Array(data) })
}
