import type { ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { GateDeps } from '../gates/routes.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { ViewerTokens } from '../request/viewer-tokens.ts'

/** The attribute that holds the viewer's token. It is empty in the bytes that all viewers share. */
const SLOT = 'data-token=""'
/** How long a browser may use its copy of a page, with the token in it. */
const COPY_MS = 7 * 24 * 60 * 60 * 1000

export interface InjectionDeps
  extends Pick<GateDeps, 'secrets' | 'baseUrl' | 'cookies' | 'assets'> {
  viewerTokens: ViewerTokens
  /** Whether the document around this page has the panel of conversations. */
  hasPanel(publishedPage: OpenPage): boolean
}

/** The parts of a page's copy that belong to one viewer. */
export interface Personal {
  token: string
  /** Identifies the copy in its ETag. */
  copyId: string
  /** The browser's id. */
  device: string
  /** Sets the browser's id; null where the browser has one. */
  cookie: string | null
}

/** How a file is sent: in a frame of ours or not, and on which host. */
export interface Delivery {
  isFramed: boolean
  isOwnHost: boolean
  /** For a preview agent, which gets the address of a picture. */
  isForAgent: boolean
}

/** The scripts and tokens that are written into pages which collect responses. */
export function createInjection(deps: InjectionDeps) {
  const { viewerTokens, cookies, assets, secrets, baseUrl, hasPanel } = deps

  function sourceOf(publishedPage: OpenPage, file: ReleaseFile): string {
    const { page, release, gate } = publishedPage
    return viewerTokens.sourceToken(page, {
      pageVersion: gate.is_published ? page.published_at : null,
      path: release.kind === 'bundle' ? file.path : '',
      manifestId: gate.is_published ? page.published_id : page.draft_id,
    })
  }

  /** For a framed document: it identifies the shown file and version to the panel around it. */
  function frameTag(publishedPage: OpenPage, file: ReleaseFile): string {
    const isShown = hasPanel(publishedPage)
    const source = isShown ? sourceOf(publishedPage, file) : null
    const stamp = source === null ? '' : ` data-stamp="${source}"`
    const { page, isPreview } = publishedPage
    // In a preview, the owner may read comments that viewers no longer can.
    const hasPassages = isPreview || (page.settings.allow_comments && isShown)
    const script = hasPassages ? 'shell.frame.passages.js' : 'shell.frame.js'
    return `<script${stamp}>${assets.text(script)}</script>`
  }

  /** A framed page gets no token: the shell around it has the token. */
  function runtimeTags(
    publishedPage: OpenPage,
    file: ReleaseFile,
    { isFramed, isOwnHost }: Delivery,
  ): string {
    const { isPreview } = publishedPage
    const source = isPreview ? '' : sourceOf(publishedPage, file)
    // A page's own host does not serve our files.
    const src = `${isOwnHost ? baseUrl : ''}/~/runtime.js`
    const token = isPreview ? ' data-preview' : isFramed ? '' : ` ${SLOT}`
    const stub = `<script>${assets.text('runtime.stub.js')}</script>`
    return `${stub}<script src="${src}" async${token} data-stamp="${source}"></script>`
  }

  function polyfillTags({ mends }: ReleaseFile): string {
    const tagOf = (name: string) => `<script>${assets.text(`sandbox.${name}.js`)}</script>`
    return mends.map(tagOf).join('')
  }

  return {
    /** The tags to insert at the start of this file's head; '' for none. */
    tags(publishedPage: OpenPage, file: ReleaseFile, delivery: Delivery): string {
      if (file.html === null) return ''
      const frame = delivery.isFramed ? frameTag(publishedPage, file) : ''
      const polyfills = delivery.isOwnHost ? '' : polyfillTags(file)
      const runtime = file.needs_runtime ? runtimeTags(publishedPage, file, delivery) : ''
      return frame + polyfills + runtime
    },
    /** Identifies the file and version that a document of ours shows. */
    sourceOf,
    personal(pageRequest: PageRequest): Personal {
      const { request, publishedPage, claims, ownHost, nowMs, startedMs } = pageRequest
      const { page } = publishedPage
      // A page's own host has no cookie with the browser's id; the visit contains it.
      const id = ownHost?.device ?? null
      const { id: device, cookie } =
        id === null ? cookies.browserFor(request) : { id, cookie: null }
      const viewedMs = id === null ? nowMs : startedMs
      const period = String(Math.floor(viewedMs / COPY_MS))
      return {
        token: viewerTokens.viewerToken(page, { device, claims, nowMs: viewedMs }),
        copyId: secrets.sign('copy', page.id, device, period).slice(0, 11),
        device,
        cookie,
      }
    },
  }
}
export type Injection = ReturnType<typeof createInjection>

/** The offset of the token in a file with these tags; null in a file without one. */
export function slotIn(tags: string, headOffset: number): number | null {
  const at = tags.indexOf(SLOT)
  return at < 0 ? null : headOffset + Buffer.byteLength(tags.slice(0, at)) + SLOT.length - 1
}

/** Writes a viewer's token into the bytes that all viewers share. */
export function withToken(body: Uint8Array, slot: number, token: string): Uint8Array {
  return Buffer.concat([body.subarray(0, slot), Buffer.from(token), body.subarray(slot)])
}
