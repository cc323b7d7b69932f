import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { type Cookies, newBrowser } from '../../kit/cookies.ts'
import type { InlineScripts } from '../../kit/inline-scripts.ts'
import type { PageRequest } from '../request/classify.ts'
import type { ResponseTokens } from './tokens.ts'

/** Where the viewer's token goes in what is otherwise the same for all. */
const SLOT = 'data-token=""'
/** How long a browser may use its copy of a page with the token that came in it. */
const COPY_S = 7 * 24 * 60 * 60

export interface InjectionDeps {
  credentials: ResponseTokens
  cookies: Cookies
  scripts: InlineScripts
  baseUrl: string
  /** Framed pages have hosts of their own, where our files do not lie. */
  hasOrigins: boolean
}

/** What makes one viewer's copy of a page theirs. */
export interface Personal {
  token: string
  /** Names the copy in its ETag. */
  mark: string
  /** Sets the browser's id, where it had none. */
  cookie: string | null
}

/** The viewer of a page, as far as a token is bound to them. */
type Viewer = Pick<PageRequest, 'publishedPage' | 'claims' | 'nowMs'>

/** What is put into pages that collect responses. */
export function createInjection(deps: InjectionDeps) {
  const { credentials, cookies, scripts, baseUrl, hasOrigins } = deps

  /** In a frame the shell holds the token: the page itself is given none. */
  async function runtimeTags(
    live: PublishedPage,
    file: ReleaseFile,
    isFramed: boolean,
  ): Promise<string> {
    const { page, release } = live
    const path = release!.kind === 'bundle' ? file.path : ''
    const pageVersion = live.gate.is_published ? page.published_at : null
    const stamp = credentials.stamp(page, { page_version: pageVersion, path })
    const src = `${isFramed && hasOrigins ? baseUrl : ''}/~/runtime.js`
    const token = isFramed ? '' : ` ${SLOT}`
    const stub = `<script>${await scripts.text('runtime.stub.js')}</script>`
    return `${stub}<script src="${src}" async${token} data-stamp="${stamp}"></script>`
  }

  return {
    /** The first things in the head of this file, or '' where nothing is needed. */
    async tags(live: PublishedPage, file: ReleaseFile, isFramed: boolean): Promise<string> {
      if (file.html === null) return ''
      const frame = isFramed ? `<script>${await scripts.text('shell.frame.js')}</script>` : ''
      return frame + (file.needs_runtime ? await runtimeTags(live, file, isFramed) : '')
    },
    personal(request: Request, { publishedPage, claims, nowMs }: Viewer): Personal {
      const { page } = publishedPage
      const known = cookies.browserOf(request)
      const device = known ?? newBrowser()
      const nowS = Math.floor(nowMs / 1000)
      return {
        token: credentials.token(page, { device, grant: claims, given_s: nowS }),
        mark: credentials.mark(page, device, Math.floor(nowS / COPY_S)),
        cookie: known === null ? cookies.browser(device) : null,
      }
    },
  }
}
export type Injection = ReturnType<typeof createInjection>

/** The byte where the token goes, or null in a page without a place for one. */
export function slotIn(tags: string, headOffset: number): number | null {
  const at = tags.indexOf(SLOT)
  return at < 0 ? null : headOffset + Buffer.byteLength(tags.slice(0, at)) + SLOT.length - 1
}

/** Longer pages are put together in a place of their own. */
const ROOM_BYTES = 128 * 1024

/**
 * Puts a viewer's token into the bytes that are the same for all. What it returns is good until it
 * is called again: a Response takes a copy of it at once.
 */
export function createSlotFiller() {
  const room = Buffer.alloc(ROOM_BYTES)
  return (body: Uint8Array, slot: number, token: string): Uint8Array => {
    const sizeBytes = body.byteLength + Buffer.byteLength(token)
    const filled = sizeBytes > ROOM_BYTES ? Buffer.alloc(sizeBytes) : room
    filled.set(body.subarray(0, slot))
    filled.set(body.subarray(slot), slot + filled.write(token, slot))
    return filled.subarray(0, sizeBytes)
  }
}
