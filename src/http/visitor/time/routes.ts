import { recordTime } from '../../../features/analytics/contract.ts'
import type { Analytics, TimedPart } from '../../../features/analytics/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import {
  createVisitorRoute,
  type VisitorRoute,
  type VisitorRouteDeps,
} from '../operations/operations.ts'
import type { Claims } from '../request/visit-tokens.ts'

export interface TimeRouteDeps extends VisitorRouteDeps {
  analytics: Pick<Analytics, 'recordTime'>
}

type Parts = readonly (readonly [part: string, seconds: number])[]

/**
 * The route by which our scripts report how long a page was visible, when it is hidden or closed.
 */
export function timeRoutes(deps: TimeRouteDeps): [path: string, VisitorRoute][] {
  const { analytics } = deps

  const record = createVisitorRoute(recordTime, deps, async (call, { seconds, parts }) => {
    const { request, token, openPage, subject } = call
    const { page, viewer, source } = subject
    if (refusesMeasuring(request) || token.grant?.is_owner === true) return { returned: {} }
    // A page without the shell reports no parts: its file is the only part.
    const reported: Parts =
      parts.length === 0 && source.path !== '' ? [[source.path, seconds]] : parts
    const view = {
      pageId: page.id,
      view: `${token.given_s} ${token.device}`,
      startedMs: token.given_s * 1000,
      email: viewer.email,
      link: linkOf(token.grant),
    }
    await analytics.recordTime(view, { seconds, parts: timedParts(openPage, reported) })
    return { returned: {} }
  })
  return [[recordTime.http.path, record]]
}

/** The named link that the view came by, and the browser that did. */
function linkOf(claims: Claims | null) {
  const { link_id: id, link_browser: browser } = claims ?? {}
  return id && browser ? { id, browser } : null
}

/** Whether the visitor's browser asks not to be tracked. */
export function refusesMeasuring({ headers }: Request): boolean {
  return headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
}

const MAX_PLACE_CHARS = 100

/** The parts that the page has: a file of a deck, a place in it by its `#`, or a page of a PDF. */
function timedParts({ release, files }: OpenPage, parts: Parts): TimedPart[] {
  if (release.kind !== 'bundle') {
    const sheets = parts.filter(([part]) => /^[1-9]\d{0,3}$/.test(part))
    return sheets.map(([value, seconds]) => ({ facet: 'sheet', value, seconds }))
  }
  const byFile = new Map<string, number>()
  const sections: TimedPart[] = []
  for (const [part, seconds] of parts) {
    const [, path = '', , place = ''] = /^([^?#]*)(\?[^#]*)?#?(.*)$/s.exec(part) ?? []
    const file = files.get(path) ?? files.get(`${path}index.html`)
    if (file === undefined || file.html === null) continue
    byFile.set(file.path, (byFile.get(file.path) ?? 0) + seconds)
    if (place === '' || place.length > MAX_PLACE_CHARS) continue
    sections.push({ facet: 'section', value: `${file.path}#${place}`, seconds })
  }
  const ofFiles = [...byFile].map(([value, seconds]) => ({
    ...{ facet: 'file' as const, value, seconds },
  }))
  return [...ofFiles, ...sections]
}
