import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import { isPreviewAgent, wantsHtml } from '../request/agents.ts'

/** What decides how an admitted opening is answered. */
export interface Shown {
  headers: Headers
  live: Pick<PublishedPage, 'page' | 'release' | 'max_views'>
  /** Addressed by a capability: then it is the frame's content. */
  isFramed: boolean
  file: Pick<ReleaseFile, 'html'>
  hasOwnerBar: boolean
  /** Each page has an origin of its own, which the shell alone can give it. */
  hasOrigins: boolean
}

/**
 * Whether the page's HTML comes in our shell rather than as its own bytes: only to a browser that
 * opens it in a window, and only where the page needs what the shell gives.
 */
export function showsShell(shown: Shown): boolean {
  const { headers, live, isFramed, file, hasOwnerBar, hasOrigins } = shown
  if (isFramed || file.html === null || live.release?.file_name !== null) return false
  return (hasOwnerBar || hasOrigins || needsShell(live)) && opensWindow(headers)
}

function needsShell({ page, release, max_views: maxViews }: Shown['live']): boolean {
  const {
    access,
    allow_comments: allowComments,
    collect_approvals: collectApprovals,
    collect_votes: collectVotes,
  } = page.settings
  if (access !== 'link' || allowComments || collectApprovals || collectVotes) return true
  return release!.uses_storage || (release!.kind === 'bundle' && maxViews !== null)
}

/** A browser opens a window. Over plain HTTP on a network, browsers send no Sec-Fetch-*. */
export function opensWindow(headers: Headers): boolean {
  if (isPreviewAgent(headers)) return false
  const dest = headers.get('sec-fetch-dest')
  if (dest !== null) return dest === 'document'
  if (headers.has('sec-fetch-mode') || headers.has('sec-fetch-site')) return false
  return wantsHtml(headers) && (headers.get('user-agent') ?? '').startsWith('Mozilla/5.0')
}
