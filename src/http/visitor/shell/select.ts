import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Live } from '../../../features/pages/index.ts'
import { isPreviewAgent, wantsHtml } from '../request/agents.ts'

/** What decides how an admitted opening is answered. */
export interface Shown {
  headers: Headers
  live: Pick<Live, 'page' | 'release' | 'max_views'>
  /** Addressed by a capability: then it is the frame's content. */
  is_framed: boolean
  file: Pick<ReleaseFile, 'html'>
  has_owner_bar: boolean
  /** Each page has an origin of its own, which the shell alone can give it. */
  has_origins: boolean
}

/**
 * Whether the page's HTML comes in our shell rather than as its own bytes: only to a browser that
 * opens it in a window, and only where the page needs what the shell gives.
 */
export function showsShell(shown: Shown): boolean {
  const { headers, live, is_framed, file, has_owner_bar, has_origins } = shown
  if (is_framed || file.html === null || live.release?.file_name !== null) return false
  return (has_owner_bar || has_origins || needsShell(live)) && opensWindow(headers)
}

function needsShell({ page, release, max_views }: Shown['live']): boolean {
  const { access, allow_comments, collect_approvals, collect_votes } = page.settings
  if (access !== 'link' || allow_comments || collect_approvals || collect_votes) return true
  return release!.uses_storage || (release!.kind === 'bundle' && max_views !== null)
}

/** A browser opens a window. Over plain HTTP on a network, browsers send no Sec-Fetch-*. */
export function opensWindow(headers: Headers): boolean {
  if (isPreviewAgent(headers)) return false
  const dest = headers.get('sec-fetch-dest')
  if (dest !== null) return dest === 'document'
  if (headers.has('sec-fetch-mode') || headers.has('sec-fetch-site')) return false
  return wantsHtml(headers) && (headers.get('user-agent') ?? '').startsWith('Mozilla/5.0')
}
